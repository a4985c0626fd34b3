/**
 * Parameters of Prometheus' operations: from the query string, and for POST from a form as well.
 */

import { isUtf8 } from 'node:buffer'
import { ProblemError } from '../../problems.ts'

export const formContentType = 'application/x-www-form-urlencoded'

/**
 * The parameters of the form before those of the query string, as Prometheus has them: whoever takes
 * the first of a name takes the form's. Throws `utf8_invalid`.
 */
export function readParameters(query: string, form: Buffer | undefined): URLSearchParams {
  if (form === undefined || form.length === 0) {
    return new URLSearchParams(query)
  }
  if (!isUtf8(form)) {
    throw new ProblemError('utf8_invalid', 'the form is not UTF-8')
  }
  return new URLSearchParams(query === '' ? form.toString() : `${form.toString()}&${query}`)
}
