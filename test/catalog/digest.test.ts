/** Digests of secrets, as they are remembered. */
import { createHash } from 'node:crypto'
import t from 'tap'
import { digestOf } from '../../src/catalog/secrets/digest.ts'

t.test('a digest is that of its secret, whatever was asked before', async t => {
  const many = Array.from({ length: 600 }, (_, i) => `key_${i}`)
  const long = Array.from({ length: 3 }, (_, i) => `${'a'.repeat(10_000)}${i}`)
  const secrets = ['', 'key_é', ...many, ...long]
  let wrong = 0
  for (const secret of [...secrets, ...secrets, ...many.toReversed()]) {
    const plain = createHash('sha256').update(secret).digest('base64url')
    if (digestOf(secret) !== plain) wrong++
  }
  t.equal(wrong, 0)
})
