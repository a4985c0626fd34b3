/**
 * Entity tags (RFC 9110, 8.8.3 and 13.1.1): a version of something that is stored, as `ETag` says it and
 * as `If-Match` asks for it.
 */

/** Which versions a change is for; undefined for any, and for what is not there yet. */
export type WantedVersion = ((version: string) => boolean) | undefined

/** `version`: of letters, digits, `-` and `_`. */
export function entityTag(version: string): string {
  return `"${version}"`
}

/**
 * `header`: `If-Match`, empty when absent. `*` is any version there is. Weak tags match none, as the RFC
 * has it: all of ours are strong.
 */
export function wantedVersion(header: string): WantedVersion {
  if (header.trim() === '') return undefined
  const tags = header.split(',').map(tag => tag.trim())
  return version => tags.includes('*') || tags.includes(entityTag(version))
}
