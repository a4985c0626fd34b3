/** A thread that has just begun, in which one loop is done for the first time, and then many times. */
import assert from 'node:assert/strict'
import { parentPort, workerData } from 'node:worker_threads'
import { assembly, type Kernels, loops } from './loops.ts'

export interface LoopTimes {
  readonly coldMs: number
  readonly hotMs: number
}

const { name, way, module } = workerData as {
  name: string
  way: 'ours' | 'copied' | 'inPlace'
  module: object | undefined
}
const times = 100

const loop = loops.find(one => one.name === name)!
// Made when a thread begins, and not for each question.
const instance = module && (new assembly.Instance(module).exports as Kernels)
// What stays in its memory is put there by another call, which leaves ours cold.
const run = () => (way === 'ours' ? loop.ours() : loop.simd(instance!, way === 'copied'))
if (way === 'inPlace') loop.simd(instance!, true)
const timed = () => {
  const startedAt = performance.now()
  const result = run()
  return { result, ms: performance.now() - startedAt }
}
const cold = timed()
for (let i = 0; i < times; i++) run()
const hot = Array.from({ length: times }, () => timed().ms).sort((a, b) => a - b)
assert.equal(cold.result, loop.ours(), `${name}, ${way}`)
parentPort!.postMessage({ coldMs: cold.ms, hotMs: hot[times >> 1]! } satisfies LoopTimes)
