/**
 * Keeps the schema of an answer and the type of what is answered from drifting apart: a schema made by
 * `schemaOf` compiles only when it describes exactly the fields that the type has, each of its type, and
 * optional exactly where the type may be undefined (which JSON leaves out).
 */

import type { Static, TSchema } from 'typebox'

type Defined<T> = Exclude<T, undefined>
type MayMiss<T, K extends keyof T> = undefined extends T[K] ? true : false

type SameUnion<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false

/** By name, so that a field which only one of both has is seen although it may be missing. */
type SameFields<A, B> =
  SameUnion<keyof A, keyof B> extends true
    ? {
        [K in keyof A]-?: K extends keyof B
          ? MayMiss<A, K> extends MayMiss<B, K>
            ? MayMiss<B, K> extends MayMiss<A, K>
              ? Same<Defined<A[K]>, Defined<B[K]>>
              : false
            : false
          : false
      }[keyof A]
    : false

type Same<A, B> = [A, B] extends [readonly (infer X)[], readonly (infer Y)[]]
  ? Same<X, Y>
  : [A, B] extends [object, object]
    ? SameFields<A, B>
    : SameUnion<A, B>

type Describes<S extends TSchema, T> = false extends Same<Static<S>, T> ? never : S

/** `schemaOf<T>()(schema)` returns `schema`; an error of the compiler says that it is not T's. */
export function schemaOf<T>(): <S extends TSchema>(schema: S & Describes<S, T>) => S {
  return schema => schema
}
