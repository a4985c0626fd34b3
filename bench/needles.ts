/**
 * What `bench/query.ts` looks for, in made messages and in real lines, and the messages that are made
 * to hold it. RE2 and JavaScript read the expressions alike, so that the bench can count by itself.
 *
 * The shares are those of the data that the peers were measured on: about 61,600 and 65,000 of
 * 2,000,000 records. No other template may hold these texts; a test counts them.
 */

export interface Needles {
  /** Words in a row. */
  readonly phrase: string
  /** Never a word of its own, only inside longer words. */
  readonly substring: string
  readonly digits: string
  /** In no record. */
  readonly nowhere: string
  /** What most messages are without. */
  readonly word: string
  readonly regex: string
  /** An expression for the end of a message. */
  readonly ending: string
  /** The trace id of exactly one record. */
  readonly traceId: string
}

export const needles = {
  /** Words in a row, in 3.08 % of the records. */
  phrase: 'connection reset by peer',
  /** Never a word of its own, only inside longer words, in 3.25 % of the records. */
  substring: 'plicat',
  /** Digits, which occur only inside numbers and ids. */
  digits: '7712',
  /** In no record. */
  nowhere: 'xylophone',
  word: 'session',
  /** The trace id of exactly one record. */
  traceId: 'feedc0de5eed0000a11ce0ffee15bad5',
  regex: ' in [0-9]{4}\\.[0-9]{2} ms|status=(deferred|bounced)',
  ending: '[0-9] ms$',
} as const satisfies Needles

/** What stands in real logs of sshd, PAM and HDFS. */
export const lineNeedles: Needles = {
  phrase: 'authentication failure',
  substring: 'entication fail',
  digits: '10.251.',
  nowhere: needles.nowhere,
  word: 'session',
  regex: 'rhost=[a-z0-9.]+ .*user=root',
  ending: 'port \\d+ ssh2$',
  traceId: needles.traceId,
}

export const phraseShare = 0.0308
export const substringShare = 0.0325

export const phraseTemplates: readonly string[] = [
  'read tcp {ip}:{port}->{ip}:{port}: connection reset by peer',
  'upstream {host}:{port} closed early: connection reset by peer (attempt {n2}, {ms} ms)',
  'recv() failed (104: connection reset by peer) while reading from {ip}, request "{path}"',
  'stream {n8} to {host} lost after {bytes} bytes: connection reset by peer',
]

export const substringTemplates: readonly string[] = [
  'replication of {table} to {host} is {n4} ms behind, slot {word}',
  'duplicate key value violates unique constraint "{table}_pkey": Key (id)=({n8}) already exists',
  'application {word} restarted by {user} on {host}, release v{n2}.{n2}.{n2}',
  'multiplicative backoff for {uuid}: next attempt in {n4} ms',
]
