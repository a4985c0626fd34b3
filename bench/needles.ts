/**
 * What `bench/query.ts` looks for, and the records that are made to hold it.
 *
 * The shares are those of the data that the peers were measured on: about 61,600 and 65,000 of
 * 2,000,000 records. No other template may hold these texts; a test counts them.
 */

export const needles = {
  /** Words in a row, in 3.08 % of the records. */
  phrase: 'connection reset by peer',
  /** Never a word of its own, only inside longer words, in 3.25 % of the records. */
  substring: 'plicat',
  /** Digits, which occur only inside numbers and ids. */
  digits: '7712',
  /** In no record. */
  nowhere: 'xylophone',
  /** The trace id of exactly one record. */
  traceId: 'feedc0de5eed0000a11ce0ffee15bad5',
  /** RE2 and JavaScript read it alike, so that the bench can count by itself. */
  regex: ' in [0-9]{4}\\.[0-9]{2} ms|status=(deferred|bounced)',
} as const

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
