/**
 * What is answered, defined once: its schema is its part of `/openapi.json`, and gives its type.
 */
import { type Static, type TSchema, Type } from 'typebox'

/** The type of what `S` describes, as whoever answers it makes it and whoever reads it has it. */
export type Answer<S extends TSchema> = ReadOnly<Static<S>>

type ReadOnly<T> = T extends object ? { readonly [K in keyof T]: ReadOnly<T[K]> } : T

export const timestamp = Type.Integer({ description: 'Milliseconds since 1970, UTC.' })

/** A time, or null for none. */
export const orNever = (description: string) =>
  Type.Union([Type.Integer(), Type.Null()], { description })

/** How many there are. */
export const count = (description: string) => Type.Integer({ minimum: 0, description })
