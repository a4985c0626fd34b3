/** The document's words on parameters that several operations of Prometheus' API have. */

import { type TProperties, Type } from 'typebox'
import { type DescribedFields, described } from '../../openapi/operation.ts'

export const text = Type.String()
export const optional = Type.Optional(text)
export const selectors = Type.Array(Type.String())

/** Parameters are texts of their own kind, which their handlers read; here they are only named. */
export function parametersOf<P extends TProperties>(
  properties: P,
  meanings: { readonly [K in keyof P]: string },
): DescribedFields {
  return described(Type.Object(properties), meanings)
}

export const timeWords = 'seconds since 1970, or RFC 3339'
export const durationWords = 'seconds, or such as `5m`'
export const queryMeaning = `A query; see the language above. A bare selector counts its records by series. Its variables
are parameters of their own: \`var.NAME=VALUE\`.`

export const bounds = { timeout: optional, limit: optional }
export const boundMeanings = {
  timeout: `How long the answer may take: ${durationWords}.`,
  limit: 'How many results at most; all when 0 or absent.',
}

export const range = { start: optional, end: optional }
export const rangeMeanings = {
  start: `Begin of the range: ${timeWords}. From the first record on when absent.`,
  end: `End of the range: ${timeWords}. To the last record when absent.`,
}

export const matchesMeaning = 'Selectors; what any of them finds is in the answer.'
