import t from 'tap'
import { segmentPath } from '../../src/segment/files.ts'
import { textKinds } from '../../src/segment/skip/skip-index.ts'
import { verifySegment } from '../../src/segment/verify.ts'
import { verifyContents } from '../../src/segment/verify-contents.ts'
import { changeSkipIndex, type SkipParts } from './changed-skip.ts'
import { type StreamRecord, sealRecords } from './sealed.ts'
import { info } from './segments.ts'

const stream = { service: 'sshd', environment: 'prod' }

function records(messageOf: (i: number) => string): StreamRecord[] {
  return Array.from({ length: 50 }, (_, i) => ({
    stream,
    timestamp: i,
    level: 'info',
    message: messageOf(i),
    attributes: ['user', `u${i}`, 'host', 'web-1'],
  }))
}

/** A segment of two runs: two blocks with templates and one without, and one of another stream. */
function sealAt(path: string): void {
  const others = records(i => `bye ${i}`).map(one => ({
    ...one,
    stream: { ...stream, service: 'other' },
  }))
  const lists = [
    records(i => `session ${i} opened for root`),
    records(i => (i < 20 ? `session ${i} closed` : `user alice${i} came`)),
    records(i => `${'qrst'.repeat(1 + (i % 7))}${i}-${(i * 7919) % 1000}`),
    others,
  ]
  sealRecords(path, 7, lists, info)
}

/** What a skip index may say that its blocks do not, and the words for it. */
const changes: readonly [what: string, change: (parts: SkipParts) => void, faults: RegExp[]][] = [
  ['nothing', () => {}, []],
  [
    'an earlier time',
    ({ numbers }) => numbers.set([-1], 0),
    [/^the times of block 0 in a skip index: not what the block says$/],
  ],
  ['a later end', ({ numbers }) => numbers.set([1_000], 5 + 1), [/^the times of block 1 /]],
  [
    'other records',
    ({ numbers }) => numbers.set([51], 10 + 2),
    [/^the number of records of block 2/],
  ],
  ['no token filter', ({ numbers }) => numbers.set([-1, 0], 3), [/^the token filter of block 0 /]],
  ['fewer pages', ({ numbers }) => numbers.set([0], 4), [/^the token filter of block 0 /]],
  [
    'no letters in a block',
    ({ letters }) => letters[1]!.fill(0),
    [/^the letters of the messages of block 1 /],
  ],
  [
    'letters of no message, which costs a look at most',
    ({ letters }) => letters[0]!.fill(0xff),
    [],
  ],
  [
    'no digits in a block',
    ({ digits }) => digits.fill(0, digits.length - digits.readUInt32LE(8)),
    [/^the digits of the messages of block 2 in a skip index: not what the block says$/],
  ],
  [
    'digits of no message, which costs a look at most',
    ({ digits }) => digits.fill(0xff, 3 * 4),
    [],
  ],
  [
    'no letters of variables',
    ({ letters }) => letters[3]!.fill(0),
    [/^the letters of the variables of block 1 /, /^the letters of the variables of block 2 /],
  ],
  [
    'messages that no filter tells of',
    ({ kinds }) => kinds.fill(textKinds.present, 0, 1),
    [/^the kind of the messages of block 0 /],
  ],
  [
    'an attribute that nobody has',
    ({ kinds }) => kinds.fill(textKinds.absent, 4, 5),
    [/^the attributes of block 1 /],
  ],
  [
    'one more message of a template',
    ({ templates }) => templates.writeUInt32LE(51, numbersAt(templates) + 4),
    [/^the templates of block 0 /],
  ],
  [
    'another template',
    ({ templates }) => templates.writeUInt32LE(1, numbersAt(templates)),
    [/^the templates of block 0 /],
  ],
  [
    'one record less of a value',
    ({ values }) => values.writeUInt32LE(49, countsAt),
    [/^the values of attributes of block 0 /],
  ],
  [
    'another value',
    ({ values }) => values.write('9', values.length - 1),
    [0, 1, 2].map(block => new RegExp(`^the values of attributes of block ${block} `)),
  ],
]

/** Where the counts of the only value, the host's, stand: behind the number of attributes, that of the
 *  host and of its values, and the length of the value. */
const countsAt = 4 * (1 + 2 + 1)

/** Where the number of the first template of the first block stands. */
function numbersAt(templates: Buffer): number {
  return 4 + 3 * 4 + 4 * templates.readUInt32LE(0)
}

t.test('a skip index that tells of its blocks what they are not is found', async t => {
  for (const [what, change, faults] of changes) {
    const path = segmentPath(t.testdir(), '2026-11-20', 7)
    sealAt(path)
    changeSkipIndex(path, 0, change)
    t.same(verifySegment(path), [], `${what}: every checksum holds`)
    const found = verifyContents(path)
    t.match(
      found.map(({ what }) => what),
      faults,
      what,
    )
    t.equal(found.length, faults.length, what)
  }
})

t.test('a skip index whose numbers cannot be is refused, though its checksum holds', async t => {
  const refused: [what: RegExp, change: (parts: SkipParts) => void][] = [
    [/odd numbers/, ({ numbers }) => numbers.set([Number.NaN], 0)],
    [/odd numbers/, ({ numbers }) => numbers.set([numbers[3]! + 0.5], 3)],
    [/a token filter lies behind its block/, ({ numbers }) => numbers.set([2 ** 40], 3)],
    [/a token filter lies behind its block/, ({ numbers }) => numbers.set([-1], 4)],
    [/the templates .*cannot be read/, ({ templates }) => templates.writeUInt32LE(99)],
    [/the values .*cannot be read/, ({ values }) => values.writeUInt32LE(99)],
    [/the values .*cannot be read/, ({ values }) => values.writeUInt32LE(51, countsAt)],
    [/the digits .*cannot be read/, ({ digits }) => digits.writeUInt32LE(63)],
  ]
  for (const [what, change] of refused) {
    const path = segmentPath(t.testdir(), '2026-11-20', 7)
    sealAt(path)
    changeSkipIndex(path, 0, change)
    t.match(verifySegment(path), [{ what }])
  }
})

/** Where the tables of a block stand that is the only one of its run, with one kind of messages of one
 *  level: the width of its cells, its number, when it is first and last, how many there are, and the kind of
 *  the only template. */
const kindsAt = { cellMs: 32, number: 40, last: 48, count: 52, ofTemplate: 56 }

t.test('kinds of messages that are told as they are not are found', async t => {
  const change = async (of: (patterns: Buffer) => void) => {
    const path = segmentPath(t.testdir(), '2026-11-20', 7)
    sealRecords(path, 7, [records(i => `session ${i} opened`)], info)
    changeSkipIndex(path, 0, ({ patterns }) => of(patterns))
    return [...verifySegment(path), ...verifyContents(path)].map(({ what }) => what)
  }
  t.same(await change(() => {}), [])
  const unlike = [/^the kinds of messages of block 0 in a skip index: not what the block says$/]
  t.match(await change(bytes => bytes.writeUInt32LE(48, kindsAt.last)), unlike)
  t.match(await change(bytes => bytes.writeUInt32LE(0, kindsAt.ofTemplate)), unlike)
  t.match(await change(bytes => bytes.write('x', bytes.length - 1)), unlike)
  const refused = [/the patterns of a skip index cannot be read/]
  t.match(await change(bytes => bytes.writeUInt32LE(49, kindsAt.count)), unlike)
  t.match(await change(bytes => bytes.writeUInt32LE(51, kindsAt.count)), refused)
  t.match(await change(bytes => bytes.writeUInt32LE(2, kindsAt.ofTemplate)), refused)
  t.match(await change(bytes => bytes.writeUInt32LE(2, kindsAt.number)), refused)
  t.match(await change(bytes => bytes.writeUInt32LE(1_000, kindsAt.cellMs)), refused)
  t.same(await change(bytes => bytes.writeUInt32LE(2, 0)), [], 'of other rules')
})
