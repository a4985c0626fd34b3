/** The inner loops of a scan over one block, as they are and in WebAssembly, on the same made data. */
import { countCodes, countWithin, markEqual } from '../../src/columns/codes.ts'
import { unpackPlanes } from '../../src/columns/planes.ts'
import { makeRandom } from '../random.ts'

/** What the types of Node leave out. */
export const { WebAssembly: assembly } = globalThis as unknown as {
  readonly WebAssembly: {
    readonly Module: new (bytes: Uint8Array) => object
    readonly Instance: new (module: object) => { readonly exports: unknown }
  }
}

/** Records of a block. */
const count = 32_768
const secondAt = 262_144
const resultAt = 524_288

export interface Loop {
  readonly name: string
  /** Returns a number that tells whether the result is right. */
  ours(): number
  /** The same in WebAssembly; `copies`: what it takes and makes is copied in and out. */
  simd(kernels: Kernels, copies: boolean): number
}

/** The exports of `simd-text.ts`. */
export interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer }
  equal(n: number, wanted: number): void
  within(n: number, least: number, greatest: number): number
  groups(n: number): void
  unpack(n: number): void
  histogram(n: number, step: number): void
  quantile(n: number): void
  find(n: number, length: number): number
}

const random = makeRandom(1)
const codes8 = Uint8Array.from({ length: count }, () => random.below(40))
const marks = Uint8Array.from({ length: count }, () => random.below(2))
const numbers16 = Uint16Array.from({ length: count }, () => random.below(30_000))
const high8 = Uint8Array.from({ length: count }, () => random.below(9))
const planes = new Uint8Array([...codes8, ...high8])
const distances = Uint32Array.from({ length: count }, (_, i) => 100 * i + random.below(100))
const bucketMs = 60_000
const within = { least: 1_000, greatest: 20_000 }
/** Variables end to end, as a chunk has them, in which the needle is nowhere. */
const variables = Buffer.from(
  Array.from({ length: 16_000 }, () => `${random.hex(4)}${random.below(99_999)}`).join(''),
).subarray(0, 96 * 1024)
const needle = Buffer.from('a17f93zz')

const hits = new Uint8Array(count)
const buckets = new Uint32Array(1_024)
const counters = new Uint8Array(65_536)
const carried = new Uint32Array(65_536)

/** Puts bytes of an array into the memory of the kernels, as any scan would have to. */
function put({ memory }: Kernels, at: number, values: ArrayBufferView, copies: boolean): void {
  if (!copies) return
  const { buffer, byteOffset, byteLength } = values
  new Uint8Array(memory.buffer, at).set(new Uint8Array(buffer, byteOffset, byteLength))
}

/** What a kernel has made; `copies`: in memory of its own. */
function made({ memory }: Kernels, bytes: number, copies: boolean): Uint8Array {
  const found = new Uint8Array(memory.buffer, resultAt, bytes)
  return copies ? found.slice() : found
}

function clear({ memory }: Kernels, at: number, bytes: number): void {
  new Uint8Array(memory.buffer, at, bytes).fill(0)
}

function countBuckets(values: Uint32Array, step: number, counts: Uint32Array): void {
  for (let i = 0; i < values.length; i++) {
    const bucket = Math.floor(values[i]! / step)
    counts[bucket] = counts[bucket]! + 1
  }
}

function countNumbers(values: Uint16Array, counts: Uint8Array, sums: Uint32Array): void {
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!
    const next = counts[value]! + 1
    counts[value] = next
    if (next === 256) sums[value] = sums[value]! + 1
  }
}

const marked = (found: Uint8Array) => found.reduce((sum, mark) => sum + mark, 0)

export const loops: readonly Loop[] = [
  {
    name: 'finding bytes in 96 KiB of variables',
    ours: () => variables.indexOf(needle),
    simd: (kernels, copies) => {
      put(kernels, 0, variables, copies)
      put(kernels, resultAt, needle, true)
      return kernels.find(variables.length, needle.length)
    },
  },
  {
    name: 'marking codes that are equal',
    ours: () => {
      markEqual(codes8, 7, hits.fill(0))
      return hits[0]!
    },
    simd: (kernels, copies) => {
      put(kernels, 0, codes8, copies)
      clear(kernels, resultAt, count)
      kernels.equal(count, 7)
      return made(kernels, count, copies)[0]!
    },
  },
  {
    name: 'counting numbers between two',
    ours: () => countWithin(numbers16, within, 29_999),
    simd: (kernels, copies) => {
      put(kernels, 0, numbers16, copies)
      return kernels.within(count, within.least, within.greatest)
    },
  },
  {
    name: 'counting groups',
    ours: () => countCodes(codes8, marks, 40)[3]!,
    simd: (kernels, copies) => {
      put(kernels, 0, codes8, copies)
      put(kernels, secondAt, marks, copies)
      clear(kernels, resultAt, 1_024)
      kernels.groups(count)
      return new Uint32Array(kernels.memory.buffer, resultAt, 40)[3]!
    },
  },
  {
    name: 'unpacking integers of two planes',
    ours: () => unpackPlanes(planes, count, 2)[9]!,
    simd: (kernels, copies) => {
      put(kernels, 0, codes8, copies)
      put(kernels, secondAt, high8, copies)
      kernels.unpack(count)
      return new Uint16Array(made(kernels, 2 * count, copies).buffer, copies ? 0 : resultAt, 10)[9]!
    },
  },
  {
    name: 'counting in a histogram',
    ours: () => {
      countBuckets(distances, bucketMs, buckets.fill(0))
      return buckets[5]!
    },
    simd: (kernels, copies) => {
      put(kernels, 0, distances, copies)
      clear(kernels, resultAt, 4_096)
      kernels.histogram(count, bucketMs)
      return new Uint32Array(kernels.memory.buffer, resultAt, 10)[5]!
    },
  },
  {
    name: 'counting numbers for a quantile',
    ours: () => {
      countNumbers(numbers16, counters.fill(0), carried)
      return marked(counters.subarray(0, 100))
    },
    simd: (kernels, copies) => {
      put(kernels, 0, numbers16, copies)
      clear(kernels, resultAt, counters.length)
      kernels.quantile(count)
      return marked(new Uint8Array(kernels.memory.buffer, resultAt, 100))
    },
  },
]
