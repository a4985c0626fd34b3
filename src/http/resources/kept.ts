/** What can be done alike with all that people make and the catalog keeps: listing it, deleting it by id. */

import type { TSchema } from 'typebox'
import type { Role } from '../../catalog/roles.ts'
import { jsonAnswer, noContentAnswer, type Operation } from '../openapi/operation.ts'
import { changeProblems } from '../openapi/route-problems.ts'
import { jsonReply, noContent } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'

interface Kept extends Pick<Operation, 'id' | 'tag' | 'summary'> {
  readonly path: string
  readonly access: Role
}

interface Listed extends Kept {
  /** What `list` returns, in words and as it is described. */
  readonly answer: readonly [description: string, schema: TSchema]
  list(): object
}

export function listRoute({ path, access, answer, list, ...about }: Listed): DescribedRoute {
  return {
    method: 'GET',
    path,
    access,
    body: 'none',
    about: { ...about, answers: { 200: jsonAnswer(...answer) }, sample: {} },
    handle: () => jsonReply(list()),
  }
}

/** `path`: of all of them. `problems`: beside those of any change. */
interface Deleted
  extends Kept,
    Required<Pick<Operation, 'problems' | 'sample' | 'pathParameters'>>,
    Pick<Operation, 'description'> {
  remove(id: string): Promise<void>
}

export function deletionRoute(deleted: Deleted): DescribedRoute {
  const { path, access, problems, remove, ...about } = deleted
  return {
    method: 'DELETE',
    path: `${path}/{id}`,
    access,
    body: 'none',
    about: {
      ...about,
      answers: { 204: noContentAnswer('It is gone.') },
      problems: [...problems, ...changeProblems],
    },
    async handle({ pathParameter }) {
      await remove(pathParameter('id'))
      return noContent
    },
  }
}
