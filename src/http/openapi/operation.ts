/**
 * What the API's document says of one operation, beyond what its route says already. It is in the
 * route as `about`; a route without it does not compile. A schema with an `$id` is in the document
 * once, under that name.
 */

import { type Static, type TObject, type TProperties, type TSchema, Type } from 'typebox'
import type { ProblemCode } from '../../problems.ts'
import type { Tag } from './tags.ts'

export interface Operation {
  /** Unique: generated clients name their methods by it. */
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  /** Markdown, as far as `markdown.ts` goes. */
  readonly description?: string
  /** What stands for each `{name}` of the path. */
  readonly pathParameters?: Readonly<Record<string, string>>
  /** In the query string; where the route takes a form, in that too. */
  readonly parameters?: DescribedFields
  /** Headers, other than the usual ones, by name, and what they do. */
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: BodyDescription
  readonly answers: Readonly<Record<number, Answer>>
  /** Beyond those that every route of its kind may answer; see `route-problems.ts`. */
  readonly problems?: readonly ProblemCode[]
  readonly sample?: Sample
}

/** The schema that checks a request, and what each of its fields means. */
export interface DescribedFields {
  readonly schema: TObject
  readonly meanings: Readonly<Record<string, string>>
  /** Meanings of fields further inside, such as `dashboard.content.variables[].name`. */
  readonly inside?: Readonly<Record<string, string>>
}

/** All fields of `schema` must have a meaning: a sentence, to be followed by "Must be …". */
export function described<P extends TProperties>(
  schema: TObject<P>,
  meanings: { readonly [K in keyof P]: string },
  inside: Readonly<Record<string, string>> = {},
): DescribedFields {
  return { schema, meanings: meanings as Readonly<Record<string, string>>, inside }
}

export type BodyDescription =
  /** JSON of these fields. */
  | DescribedFields
  /** Anything else: by content type, what it holds. */
  | { readonly contents: Readonly<Record<string, Content>> }

export interface Content {
  readonly schema: TSchema
  /** Of each line, where the content is JSON by the line. */
  readonly lines?: TSchema
  /** Of each event's data, by its name, where the content is a stream of events. */
  readonly events?: Readonly<Record<string, TSchema>>
  readonly example?: unknown
}

export interface Answer {
  readonly description: string
  /** By content type without parameters; absent when there is no body. */
  readonly contents?: Readonly<Record<string, Content>>
  /** Headers, other than the usual ones, by name, and what they say. */
  readonly headers?: Readonly<Record<string, string>>
}

/** An answer of JSON as `schema` says; `example`: one, for readers. */
export function jsonAnswer(description: string, schema: TSchema, example?: unknown): Answer {
  const content = example === undefined ? { schema } : { schema, example }
  return { description, contents: { 'application/json': content } }
}

/** An answer of text that has no schema, such as CSV. */
export function textAnswer(description: string, contentType: string): Answer {
  return { description, contents: { [contentType]: { schema: Type.String() } } }
}

export const noContentAnswer = (description: string): Answer => ({ description })

/** An example of a request. A value `$NAME` is a variable of the shell, which `before` has set. */
export interface Sample {
  /** Lines of shell that come first. */
  readonly before?: readonly string[]
  readonly path?: Readonly<Record<string, string>>
  readonly parameters?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** A string is sent as it is, anything else as JSON. */
  readonly body?: unknown
  readonly contentType?: string
  /** Options of curl, such as `-N`. */
  readonly options?: string
}

/** An example's body, checked against the request's type. */
export const bodyLike = <T extends TSchema>(_schema: T, body: Static<T>): Static<T> => body
