/**
 * The handshake of the forward protocol: both sides show that they know the shared key, without saying it.
 *
 *     us      ["HELO", {"nonce": …, "auth": "", "keepalive": true}]
 *     sender  ["PING", its name, its salt, sha512(salt + its name + nonce + key), user, password]
 *     us      ["PONG", whether it may send, why not, our name, sha512(salt + our name + nonce + key)]
 *
 * Digests in hex. Users and passwords are not asked for.
 */

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { NotAuthenticated } from '../framing/framer.ts'

const ownName = 'logstrata'

export class Handshake {
  readonly #key: string
  /** As text: some senders read bytes as text. */
  readonly #nonce = randomBytes(16).toString('base64')

  constructor(key: string) {
    this.#key = key
  }

  hello(): unknown {
    return ['HELO', { nonce: this.#nonce, auth: '', keepalive: true }]
  }

  /** Answers a PING. Throws NotAuthenticated when its sender does not know the key, or it is none. */
  check(message: unknown, reply: (message: unknown) => void): void {
    const [word, name, salt, digest] = Array.isArray(message) ? message : []
    const isPing = word === 'PING' && isText(name) && isText(salt) && isText(digest)
    const expected = isPing ? Buffer.from(this.#digest(salt, name)) : Buffer.alloc(0)
    const given = isPing ? Buffer.from(digest as string) : Buffer.alloc(1)
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
      const reason = isPing ? 'shared key mismatch' : 'expected PING'
      reply(['PONG', false, reason, '', ''])
      throw new NotAuthenticated(reason)
    }
    reply(['PONG', true, '', ownName, this.#digest(salt, ownName)])
  }

  #digest(salt: string | Uint8Array, name: string | Uint8Array): string {
    const hash = createHash('sha512').update(salt).update(name)
    return hash.update(this.#nonce).update(this.#key).digest('hex')
  }
}

function isText(value: unknown): value is string | Uint8Array {
  return typeof value === 'string' || value instanceof Uint8Array
}
