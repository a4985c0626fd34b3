/** Datagrams of GELF, in chunks or not, damaged and in any order: each is taken, counted, or waits. */
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { GatheredIntake } from '../../src/listen/gathered-intake.ts'
import { gelfProtocol } from '../../src/listen/protocols/gelf.ts'
import { isRecord } from './events.ts'
import { usualEventText } from './json-texts.ts'
import { mutate } from './mutate.ts'
import type { FuzzTarget } from './target.ts'

const reader = gelfProtocol({ eventBytesMax: 4_096 }).openDatagrams()
let now = 1_795_000_000_000

export const gelfDatagrams: FuzzTarget = {
  tryOne(random) {
    const text = `{"version":"1.1","short_message":"x","_more":${usualEventText(random)}}`
    const whole = random.below(2) === 0 ? gzipSync(text) : Buffer.from(text)
    const count = 1 + random.below(5)
    const size = Math.ceil(whole.length / count)
    const id = Buffer.from([0x1e, 0x0f, 0, 0, 0, 0, 0, 0, 0, random.below(4)])
    const chunks = Array.from({ length: count }, (_, i) =>
      Buffer.concat([id, Buffer.from([i, count]), whole.subarray(i * size, (i + 1) * size)]),
    )
    const sent = random.below(3) === 0 ? [whole] : chunks.sort(() => random.below(3) - 1)
    now += random.below(2_000)
    const intake = new GatheredIntake(now)
    for (const datagram of sent) {
      reader.read(random.below(4) === 0 ? mutate(datagram, random) : datagram, 'peer', intake)
    }
    intake.records.forEach(isRecord)
    assert.ok(intake.records.length <= sent.length)
  },
}
