/** The forms of the `Authorization` header, whoever may use them. */

const scheme = 'bearer'

/** What follows `Bearer` (RFC 9110, 11.1: the scheme's case does not matter) and a space. */
export function bearerSecret(header: string): string | undefined {
  const isBearer =
    header.length > scheme.length + 1 &&
    header.charCodeAt(scheme.length) === 0x20 &&
    header.slice(0, scheme.length).toLowerCase() === scheme
  return isBearer ? header.slice(scheme.length + 1).trimStart() : undefined
}

/**
 * The password of `Basic` credentials (RFC 7617); the user may be anything, and passwords may hold colons
 * only. What is no such text is an empty password, which is no secret.
 */
export function basicSecret(header: string): string | undefined {
  const encoded = /^basic +(.*)$/i.exec(header)?.[1]
  if (encoded === undefined) return undefined
  const pair = Buffer.from(encoded, 'base64').toString()
  const colon = pair.indexOf(':')
  return colon === -1 ? '' : pair.slice(colon + 1)
}

/** The whole header as the credential, as published clients of this API send an API key. */
export function bareSecret(header: string): string | undefined {
  const isBare = header !== '' && !header.includes(' ') && header.toLowerCase() !== scheme
  return isBare ? header : undefined
}
