/**
 * Where a sender's ingestion token may stand: in every place where the clients of the protocols that are
 * taken can put it, on every route for events. Not in the address, which proxies and browsers write down;
 * but for a token that is no secret, since it stands in a page, and is sent by `navigator.sendBeacon`, which
 * can set no header.
 */

import { basicSecret, bearerSecret } from './authorization.ts'

/** The headers that may have it; empty when absent. */
export interface IngestionHeaders {
  readonly authorization: string
  /** Of Datadog's agents and libraries. */
  readonly ddApiKey: string
  readonly xApiKey: string
}

/**
 * The texts that may be a token, of which the first that is one counts; none when there is no credential in a
 * form that is known.
 *
 *     Authorization: Bearer TOKEN                       RFC 6750
 *     Authorization: Basic base64(USER:TOKEN)           RFC 7617, any user
 *     Authorization: Splunk TOKEN                       HTTP Event Collector
 *     Authorization: ApiKey TOKEN | base64(ID:TOKEN)    Elasticsearch, any id
 *     DD-API-KEY: TOKEN                                 Datadog
 *     X-API-Key: TOKEN
 */
export function ingestionSecrets(headers: IngestionHeaders): readonly string[] {
  const { authorization, ddApiKey, xApiKey } = headers
  if (authorization === '') return [ddApiKey, xApiKey].filter(secret => secret !== '')
  const bearer = bearerSecret(authorization) ?? basicSecret(authorization)
  if (bearer !== undefined) return [bearer]
  const [, scheme = '', secret = ''] = /^(splunk|apikey) +(.*)$/i.exec(authorization) ?? []
  if (secret === '') return []
  return scheme.toLowerCase() === 'splunk' ? [secret] : [secret, keyOfPair(secret)]
}

/** The parameter of the address that may have a token for pages. */
export const tokenParameter = 'token'

/** What `query`, still encoded, says there; undefined when it says nothing. */
export function secretOfAddress(query: string): string | undefined {
  if (!query.includes(tokenParameter)) return undefined
  return new URLSearchParams(query).get(tokenParameter) || undefined
}

/** What follows the colon of `id:key` in base64, as Elasticsearch's clients send a key. */
function keyOfPair(encoded: string): string {
  const pair = Buffer.from(encoded, 'base64').toString()
  return pair.slice(pair.indexOf(':') + 1)
}
