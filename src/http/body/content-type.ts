/** Whether a body says that it is something that its path takes. */

import { ProblemError } from '../../problems.ts'

/**
 * The content type that `header` names. Throws `content_type` unless it is one of `contentTypes` (which
 * are in lower case, as is the answer). Parameters such as `charset=utf-8` are ignored: JSON is UTF-8
 * whatever they say (RFC 8259, 11).
 */
export function requireContentType(header: string, contentTypes: readonly string[]): string {
  if (contentTypes.includes(header)) {
    return header
  }
  const contentType = header.split(';', 1)[0]!.trim().toLowerCase()
  if (!contentTypes.includes(contentType)) {
    const found = header === '' ? 'missing' : JSON.stringify(contentType.slice(0, 64))
    const detail = `expected ${contentTypes.join(' or ')}, was ${found}`
    throw new ProblemError('content_type', detail, { field: 'Content-Type' })
  }
  return contentType
}
