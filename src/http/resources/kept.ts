/** What can be done alike with all that people make and the catalog keeps: making, listing, deleting it. */

import { type TSchema, Type } from 'typebox'
import type { Role } from '../../catalog/roles.ts'
import {
  type DescribedFields,
  jsonAnswer,
  noContentAnswer,
  type Operation,
} from '../openapi/operation.ts'
import { changeProblems } from '../openapi/route-problems.ts'
import { jsonReply, noContent } from '../reply/reply.ts'
import type { DescribedRoute } from '../route.ts'

interface Kept extends Pick<Operation, 'id' | 'tag' | 'summary'> {
  readonly path: string
  readonly access: Role
}

interface Saved extends Kept, Pick<Operation, 'description' | 'problems'> {
  readonly body: DescribedFields
  /** What `save` returns, in words and as it is described. */
  readonly answer: readonly [description: string, schema: TSchema]
  /** 200 when absent. */
  readonly status?: 201
  readonly sample: unknown
  /** `by`: the name of the API key. */
  save(body: unknown, by: string): object | Promise<object>
}

/** `problems`: beside those of any change. */
export function saveRoute(saved: Saved): DescribedRoute {
  const { path, access, answer, status = 200, problems = [], sample, save, ...about } = saved
  return {
    method: 'POST',
    path,
    access,
    body: 'json',
    about: {
      ...about,
      answers: { [status]: jsonAnswer(...answer) },
      problems: [...problems, ...changeProblems],
      sample: { body: sample },
    },
    handle: async ({ body, caller }) =>
      jsonReply(await save(body, caller.apiKey?.name ?? ''), status),
  }
}

interface Listed extends Kept {
  /** In which order, and of which there are. */
  readonly answer: string
  /** Of the field with all of them, and of each. */
  readonly each: readonly [name: string, schema: TSchema]
  list(): readonly object[]
}

export function listRoute(listed: Listed): DescribedRoute {
  const { path, access, answer, each, list, ...about } = listed
  const [name, schema] = each
  const answers = { 200: jsonAnswer(answer, Type.Object({ [name]: Type.Array(schema) })) }
  return {
    method: 'GET',
    path,
    access,
    body: 'none',
    about: { ...about, answers, sample: {} },
    handle: () => jsonReply({ [name]: list() }),
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
