/** Memory that goes from one large body to the next, and what bounds it. */
import { mock } from 'node:test'
import fc from 'fast-check'
import t from 'tap'
import { BodyClaim, BodyMemory } from '../../src/ingest/body-memory.ts'
import { SpareMemory } from '../../src/ingest/spare-memory.ts'
import { isGone } from '../../src/threads/parcel.ts'
import { open, type SealedMemory, seal } from '../../src/threads/sealed-memory.ts'
import { forAll } from '../for-all.ts'

const mib = 1024 * 1024
const mark = 0x5a

function marked(spare: SpareMemory, bytes: number): SealedMemory {
  spare.take(bytes) // Somebody wants some.
  const memory = new ArrayBuffer(bytes)
  new Uint8Array(memory)[0] = mark
  return seal(memory)
}

const isMarked = (memory: SealedMemory | undefined) =>
  memory !== undefined && new Uint8Array(open(memory))[0] === mark

t.test('what a body was read from is the next one’s, if it fits', async t => {
  const spare = new SpareMemory(() => Number.POSITIVE_INFINITY)
  const next = (bytes: number) => {
    spare.letGo()
    spare.keep(marked(spare, 40 * mib))
    return isMarked(spare.take(bytes))
  }
  t.ok(next(40 * mib))
  t.ok(next(21 * mib), 'a smaller one')
  t.notOk(next(20 * mib), 'one that would hold twice of what it claimed')
  t.notOk(next(41 * mib), 'a larger one')
  t.equal(spare.bytes, 0, 'what did not fit is gone')
})

t.test('one is kept, of a large body, and only while such bodies come', async t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  t.teardown(() => mock.timers.reset())
  const spare = new SpareMemory(() => Number.POSITIVE_INFINITY)
  const early = seal(new ArrayBuffer(40 * mib))
  spare.keep(early)
  t.ok(isGone(early), 'nobody has asked for any')

  spare.take(40 * mib)
  const [first, second, small] = [40, 40, 8].map(size => seal(new ArrayBuffer(size * mib)))
  spare.keep(small!)
  t.ok(isGone(small!))
  spare.keep(first!)
  t.equal(spare.bytes, 40 * mib)
  t.notOk(spare.isWanted)
  spare.keep(second!)
  t.ok(isGone(second!))

  mock.timers.tick(4_999)
  t.notOk(isGone(first!))
  mock.timers.tick(1)
  t.ok(isGone(first!))
  t.equal(spare.bytes, 0)
  t.notOk(spare.isWanted)
})

t.test('what is kept and what is claimed never take more than there is', async () => {
  const room = 256 * mib
  const step = fc.record({ claim: fc.nat(3), bytes: fc.nat(220 * mib), isBack: fc.boolean() })
  forAll(fc.array(step, { maxLength: 40 }), steps => {
    const memory = new BodyMemory(room)
    const claims = Array.from({ length: 4 }, () => new BodyClaim(memory))
    return steps.every(({ claim, bytes, isBack }) => {
      claims[claim]!.tryResize(bytes)
      memory.spare.take(60 * mib)
      if (isBack) claims[claim]!.giveBack(new Uint8Array(60 * mib))
      return memory.heldBytes + memory.spare.bytes <= room
    })
  })
})
