import t from 'tap'
import type { Kept } from '../../src/columns/kept.ts'
import { worthKeeping } from '../../src/memory-policy.js'
import { WeighedKept } from '../../src/query/weighed-kept.ts'
import { columnOf } from '../columns/arbitraries.ts'
import { encodeAnyway, reopenTemplate } from '../columns/template/messages.ts'
import { type StreamRecord, sealedBlocks } from '../segment/sealed.ts'

const stream = { service: 'api', environment: 'prod' }
const records = Array.from({ length: 3_000 }, (_, i): StreamRecord => {
  const own = i % 3 === 0 ? ['user', `u${i % 40}`] : []
  // A zero at the end is no part of a number, so that prices are texts with templates.
  const price = `${i % 50}.${i % 9}0`
  const attributes = ['id', `${i}-${i % 7}.${i % 11}`, 'ms', `${i % 99}.25`, 'price', price, ...own]
  const message = `request ${i} took ${i % 9} of ${i % 5 === 0 ? 'a' : 'the'} pool b${i}x`
  return { timestamp: i, level: i % 2 === 0 ? 'info' : 'error', message, attributes, stream }
})

t.test('whatever part of a block is let go of, it is made again as it was', async t => {
  const block = sealedBlocks(t.testdir(), [records]).columns[0]!
  const rows = [0, 1, 2, 777, 1_500, 2_999]
  const seen = () => {
    const { column } = block.attribute('ms')!
    return {
      records: rows.map(row => block.record(row)),
      sequences: rows.map(row => block.sequence(row)),
      numbers: rows.map(row => column.numbers?.()[row]),
      prices: rows.map(row => block.attribute('price')!.column.numbers?.()[row]),
      ids: block.attribute('id')!.column.toTextColumn(),
      messages: block.message.toTextColumn(),
    }
  }
  const before = seen()
  t.ok(block.heldBytes > 50_000)
  const keptOf = () => {
    const all: Kept[] = []
    block.forEachKept(kept => all.push(kept))
    return all
  }
  const count = keptOf().length
  t.ok(count > 10, `${count} parts`)
  for (let i = 0; i < count; i++) {
    const held = block.heldBytes
    const kept = keptOf()[i]
    if (kept === undefined) break
    const { heldBytes, makingMs } = kept
    kept.release()
    t.equal(block.heldBytes, held - heldBytes, `part ${i} of ${heldBytes} bytes`)
    t.ok(heldBytes === 0 || makingMs > 0, 'what is kept took some time')
    t.same(seen(), before)
  }
  for (const kept of keptOf()) kept.release()
  t.ok(block.heldBytes <= 8 * 1024, `${block.heldBytes} bytes are left`)
  t.same(seen(), before)
})

/** A template column of which everything was asked, and the numbers of the chunks that are read. */
function askedColumn() {
  const texts = columnOf(records.map(({ attributes }) => attributes[5]!))
  const asked: number[] = []
  const column = reopenTemplate(encodeAnyway(texts), records.length, asked)
  return { column, asked }
}

t.test('numbers that were made of templates count, and are let go of', async t => {
  const { column } = askedColumn()
  column.textAt(0)
  column.toTextColumn()
  const before = column.heldBytes
  column.numbers()
  const bytes = records.length * Float64Array.BYTES_PER_ELEMENT
  t.equal(column.heldBytes - before, bytes)
  const [numbers] = column.kept.filter(({ heldBytes }) => heldBytes === bytes)
  t.equal(numbers?.isSeldomNeeded, false, 'each quantile over it needs them')
  column.shed()
  t.equal(numbers?.heldBytes, 0, 'who reads in order lets go of them, too')
  column.numbers()
  t.equal(numbers?.heldBytes, bytes, 'and they are made again')
})

t.test('of a template column only variables are seldom needed', async t => {
  const { column, asked } = askedColumn()
  column.toTextColumn()
  column.rowsOf(0)
  const seldom = column.kept.filter(({ isSeldomNeeded }) => isSeldomNeeded)
  t.equal(seldom.length, 1)
  t.ok(seldom[0]!.heldBytes > records.length)
  seldom[0]!.release()
  asked.length = 0
  column.textAt(7)
  t.ok(asked.length > 0)
  t.ok(
    asked.every(chunk => chunk >= 2),
    'templates, and which text has which, are still there',
  )
})

/** What `make` returns when chance says so. */
function withChance<T>(chance: number, make: () => T): T {
  const { random } = Math
  Math.random = () => chance
  try {
    return make()
  } finally {
    Math.random = random
  }
}

t.test('what is in use is worth the double, and half of all worth is chance', async t => {
  const worth = (isInUse: boolean) =>
    worthKeeping({ makingMs: 3, heldBytes: 1_024, isSeldomNeeded: false }, isInUse)
  const least = withChance(0, () => worth(false))
  t.equal(least, 3 / 1_024)
  t.equal(withChance(0, () => worth(true)) / least, 2)
  t.equal(
    withChance(0.5, () => worth(false)),
    4.5 / 1_024,
  )
})

t.test('of what is seldom needed chance alone decides', async t => {
  const worth = (makingMs: number, heldBytes: number) =>
    worthKeeping({ makingMs, heldBytes, isSeldomNeeded: true }, false)
  t.equal(
    withChance(0.3, () => worth(1, 9_000)),
    withChance(0.3, () => worth(90, 1_000)),
  )
  t.ok(withChance(0.3, () => worth(1, 9_000)) > withChance(0.2, () => worth(1, 9_000)))
})

t.test(
  'what costs much for its size stays longer, and what is seldom needed goes first',
  async t => {
    const worth = (makingMs: number, heldBytes: number, isSeldomNeeded = false, isInUse = false) =>
      worthKeeping({ makingMs, heldBytes, isSeldomNeeded }, isInUse)
    for (let i = 0; i < 100; i++) {
      t.ok(worth(1, 4_096) > worth(1, 65_536))
      t.ok(worth(5, 4_096) > worth(1, 4_096))
      t.ok(worth(0.1, 1e6) > worth(50, 4_096, true, true))
      t.ok(worth(1, 4_096, true, true) > worth(1, 4_096, true, false))
    }
  },
)

t.test('what is worth the least is let go of first, until it is enough', async t => {
  let released: string[] = []
  const keptOf = (name: string, makingMs: number, isSeldomNeeded = false) => ({
    heldBytes: name === 'empty' ? 0 : 1_000,
    makingMs,
    isSeldomNeeded,
    release: () => {
      released.push(name)
    },
  })
  // Each is worth four times the one before it, and chance at most doubles it; more than it begins with.
  const count = 3_000
  const numbers = Array.from({ length: count }, (_, i) => (i * 1_117) % count)
  const weigh = () => {
    released = []
    const weighed = new WeighedKept()
    for (const number of numbers) {
      weighed.add(keptOf(`${number}`, 4 ** ((number % 300) - 150)), `block ${number}`, false)
    }
    weighed.add(keptOf('empty', 0), 'block', false)
    weighed.add(keptOf('seldom', 1_000, true), 'block', true)
    return weighed
  }
  const keys: string[] = []
  const isEnough = weigh().release(key => keys.push(key) === 500)
  t.equal(isEnough, true)
  t.equal(released.length, 500)
  t.same(
    keys,
    released.map(name => (name === 'seldom' ? 'block' : `block ${name}`)),
    'told of each its block',
  )
  const ranks = released.filter(name => name !== 'seldom').map(name => Number(name) % 300)
  t.same(
    ranks,
    ranks.toSorted((a, b) => a - b),
  )

  t.equal(
    weigh().release(() => false),
    false,
    'it was never enough',
  )
  t.equal(new Set(released).size, count + 1, 'all that holds anything, each once')
  t.equal(released.length, count + 1)
})
