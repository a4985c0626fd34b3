/** Damage to bytes, of every kind that wires, disks and people cause. */
import type { Random } from '../../bench/random.ts'

type Change = (bytes: Buffer, random: Random) => Buffer

const changes: readonly Change[] = [
  function flipBit(bytes, random) {
    const changed = Buffer.from(bytes)
    if (bytes.length > 0) changed[random.below(bytes.length)]! ^= 1 << random.below(8)
    return changed
  },
  function overwrite(bytes, random) {
    const changed = Buffer.from(bytes)
    const [from, to] = range(bytes, random)
    for (let at = from; at < to; at++) changed[at] = random.below(256)
    return changed
  },
  function clear(bytes, random) {
    const changed = Buffer.from(bytes)
    return changed.fill(random.pick([0, 0xff, 0x20]), ...range(bytes, random))
  },
  function cutOff(bytes, random) {
    return bytes.subarray(0, random.below(bytes.length + 1))
  },
  function takeOut(bytes, random) {
    const [from, to] = range(bytes, random)
    return Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)])
  },
  function repeat(bytes, random) {
    const [from, to] = range(bytes, random)
    return Buffer.concat([bytes.subarray(0, to), bytes.subarray(from)])
  },
  function moveElsewhere(bytes, random) {
    const [from, to] = range(bytes, random)
    return insert(bytes, bytes.subarray(from, to), random)
  },
  function append(bytes, random) {
    const length = random.skewedBelow(200)
    return Buffer.concat([bytes, Buffer.from(Array.from({ length }, () => random.below(256)))])
  },
]

/** One to four changes; `words` are put in anywhere, too. */
export function mutate(bytes: Buffer, random: Random, words: readonly string[] = []): Buffer {
  let changed = bytes
  for (let left = 1 + random.skewedBelow(4); left > 0; left--) {
    const isWord = words.length > 0 && random.below(3) === 0
    changed = isWord
      ? insert(changed, Buffer.from(random.pick(words), 'latin1'), random)
      : random.pick(changes)(changed, random)
  }
  return changed
}

function insert(bytes: Buffer, piece: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1)
  return Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at)])
}

/** Short ranges are likelier. */
function range(bytes: Buffer, random: Random): [number, number] {
  const from = random.below(bytes.length + 1)
  return [from, from + random.skewedBelow(bytes.length - from + 1)]
}
