/** What body an operation takes, as far as the headers show. */

import { limits } from '../../limits.ts'
import { formContentType } from './form.ts'

export interface ExpectedBody {
  /** Undefined: any, or none. */
  readonly contentTypes: readonly string[] | undefined
  /** Of the decoded body. */
  readonly bodyBytesMax: number
}

export const jsonBodies: ExpectedBody = {
  contentTypes: ['application/json'],
  bodyBytesMax: limits.requestBodyBytesMax,
}

export const forms: ExpectedBody = {
  contentTypes: [formContentType],
  bodyBytesMax: limits.formBodyBytesMax,
}

/** A form without a body is no form: a POST with all its parameters in the query string. */
export const noForms: ExpectedBody = { ...forms, contentTypes: undefined }
