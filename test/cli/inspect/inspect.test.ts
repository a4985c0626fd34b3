import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { journalPath } from '../../../src/journal/files.ts'
import { segmentPath } from '../../../src/segment/files.ts'
import { builtProgram, passedOn } from '../../built.ts'
import { type StreamRecord, sealRecords, writeJournal } from '../../segment/sealed.ts'
import { info, smallBlock, writeSegment } from '../../segment/segments.ts'
import { inspect } from './run-inspect.ts'

const day = '2026-11-20'
const noon = Date.UTC(2026, 10, 20, 12)
const checkout = { service: 'checkout', environment: 'prod' }
const search = { service: 'se arch', environment: 'prod' }

function records(count: number, stream = checkout): StreamRecord[] {
  return Array.from({ length: count }, (_, i) => ({
    stream,
    timestamp: noon + i * 1_000,
    level: i % 10 === 0 ? 'error' : 'info',
    message: `request ${i} from 10.0.0.${i % 256} took ${(i * 7) % 100} ms`,
    attributes: ['id', `user-${i}`, ...(i % 2 === 0 ? ['__proto__', 'even'] : [])],
  }))
}

/** What the program would answer for a record. */
function lineOf({ stream, timestamp, level, message, attributes }: StreamRecord) {
  const named: [string, string][] = []
  for (let i = 0; i < attributes.length; i += 2) named.push([attributes[i]!, attributes[i + 1]!])
  const labels = [['service.name', stream.service], ['environment', stream.environment], ...named]
  return { timestamp, log_level: level, message, attributes: sorted(labels) }
}

const sorted = (pairs: unknown[]) => pairs.map(pair => JSON.stringify(pair)).sort()

/** A data directory with two segments and a journal file. */
function dataIn(t: Test) {
  const directory = t.testdir()
  const segment = segmentPath(join(directory, 'segments'), day, 42)
  const other = segmentPath(join(directory, 'segments'), day, 43)
  const journal = journalPath(join(directory, 'journal'), 12)
  sealRecords(segment, 42, [records(200), records(30, search)], info)
  sealRecords(other, 43, [records(5)], info)
  const starts = writeJournal(journal, 12, [records(3), [...records(2), ...records(1, search)]])
  return { directory, segment, other, journal, starts }
}

function flip(path: string, at: number): void {
  const bytes = fs.readFileSync(path)
  bytes[at]! ^= 1
  fs.writeFileSync(path, bytes)
}

t.test('a segment is printed with its blocks, columns and footer', async t => {
  const { segment } = dataIn(t)
  const { code, printed, complained } = await inspect(segment)
  t.match({ code, complained }, { code: 0, complained: '' })
  t.match(printed, /^segment 42, format 3: [\d,]+ bytes, 230 records in 2 blocks$/m)
  t.match(printed, /group: 7, 8; replaces journals: 3, 4; segments: none/)
  t.match(printed, /^block 0: checkout, prod: 200 records in [\d,]+ bytes at 20$/m)
  t.match(printed, /^block 1: "se arch", prod: 30 records/m, 'names that are no words are quoted')
  t.match(printed, /^ {2}time +2026-11-20T12:00:00.000Z to 2026-11-20T12:03:19.000Z$/m)
  t.match(printed, /^ {2}levels +error 20, info 180$/m)
  t.match(printed, /^ {2}message +message +\w+ +200 +\d+ +[\d,]+ +[\d,]+ +\d+\.\d$/m)
  t.match(printed, /^ {2}__proto__ +attribute +constant +100 /m)
  const skips =
    /^skip index of block (\d): [\d,]+ bytes at [\d,]+, [\d,]+ of them templates, values, patterns and digits$/gm
  t.same(
    [...printed.matchAll(skips)].map(([, block]) => block),
    ['0', '1'],
  )
})

t.test('a segment of format 1 is one, and has no skip indexes', async t => {
  const { code, printed } = await inspect(join(import.meta.dirname, '../../format/v1.seg'))
  t.equal(code, 0)
  t.match(printed, /^segment 42, format 1: /m)
  t.notMatch(printed, /skip index/)
})

t.test('a journal file is printed with its frames', async t => {
  const { journal } = dataIn(t)
  const { code, printed } = await inspect(journal)
  t.equal(code, 0)
  t.match(printed, /^journal file 12: [\d,]+ bytes, 6 records in 2 frames$/m)
  t.match(
    printed,
    /^ +20 +\d+ +3 +1 +2026-11-20T12:00:00.000Z +2026-11-20T12:00:02.000Z +checkout, prod: 3$/m,
  )
  t.match(printed, /checkout, prod: 2; "se arch", prod: 1$/m)
})

t.test('--json prints the same as one line of JSON', async t => {
  const { segment, journal } = dataIn(t)
  const ofSegment = JSON.parse((await inspect('--json', segment)).printed)
  t.match(ofSegment, {
    kind: 'segment',
    number: 42,
    recordCount: 230,
    replaces: { journals: [3, 4], segments: [] },
    format: 3,
    blocks: [{ service: 'checkout', levels: { error: 20, info: 180 } }, { recordCount: 30 }],
    skipIndexes: [
      { blockCount: 1, laterBytes: Number },
      { blockCount: 1, offset: Number },
    ],
    faults: [],
  })
  const message = { name: 'message', role: 'message', valueCount: 200 }
  t.match(
    ofSegment.blocks[0].columns.find((column: { name: string }) => column.name === 'message'),
    message,
  )
  const ofJournal = JSON.parse((await inspect('--json', journal)).printed)
  t.match(ofJournal, { kind: 'journal', number: 12, recordCount: 6, frames: [{ offset: 20 }, {}] })
})

t.test('--records prints every record as it was appended, of either kind of file', async t => {
  const { segment, journal } = dataIn(t)
  const read = async (path: string) => {
    const { code, printed } = await inspect('--records', path)
    t.equal(code, 0)
    const lines = printed.trimEnd().split('\n')
    return lines.map(line => {
      const { sequence: _, attributes, ...rest } = JSON.parse(line)
      return { ...rest, attributes: sorted(Object.entries(attributes)) }
    })
  }
  t.same(await read(segment), [...records(200), ...records(30, search)].map(lineOf))
  t.same(await read(journal), [...records(3), ...records(2), ...records(1, search)].map(lineOf))
})

t.test('--verify says which files are whole, and a directory stands for all below it', async t => {
  const { directory, segment, other, journal } = dataIn(t)
  t.match(await inspect('--verify', segment), { code: 0, printed: `${segment}: whole\n` })
  t.match(await inspect(directory), {
    code: 0,
    printed: `${journal}: whole\n${segment}: whole\n${other}: whole\n`,
  })
  const lines = (await inspect('--json', directory)).printed.trimEnd().split('\n')
  t.same(
    lines.map(line => JSON.parse(line)),
    [
      { path: journal, kind: 'journal', faults: [] },
      { path: segment, kind: 'segment', faults: [] },
      { path: other, kind: 'segment', faults: [] },
    ],
  )
  t.match(await inspect(t.testdir({ empty: {} })), { code: 0, printed: /no segments/ })
})

t.test('a flipped bit is found, named, and makes exit code 1', async t => {
  const { directory, segment, other, journal, starts } = dataIn(t)
  flip(segment, 100)
  flip(journal, starts[1]! + 50)
  const { code, printed } = await inspect(directory)
  t.equal(code, 1)
  t.match(printed, `${other}: whole\n`)
  t.match(printed, new RegExp(`${segment}: offset \\d+: the checksum of a chunk differs\n`))
  t.match(printed, `${journal}: offset ${starts[1]}: the last `)
})

t.test('of a damaged file everything else is printed', async t => {
  const { segment, other, journal } = dataIn(t)
  const { size } = fs.statSync(segment)
  flip(segment, size - 50)
  const printed = await inspect(segment)
  t.match(printed, { code: 1, printed: /230 records in 2 blocks/ })
  t.match(printed, { printed: /^FAULT at \d+: the footer is damaged$/m })
  flip(other, 9)
  t.match(await inspect(other), {
    code: 1,
    printed: /^segment 43, format unknown: (.|\n)*^FAULT at 0: the header is damaged$/m,
  })
  t.match(await inspect('--records', segment), {
    code: 1,
    printed: /"request 199 /,
    complained: /the footer is damaged/,
  })
  flip(journal, 60)
  t.match(await inspect(journal), { code: 1, printed: /3 records in 1 frames(.|\n)*FAULT at 20/ })
  t.match(await inspect('--records', journal), { code: 1, printed: /"se arch"/ })
})

t.test('--verify finds contents that are not what the directory says', async t => {
  const path = segmentPath(t.testdir(), day, 7)
  // Its chunks are whole, but no encoder made them.
  writeSegment(path, 7, [smallBlock('one')])
  const { code, printed } = await inspect('--verify', path)
  t.equal(code, 1)
  t.match(printed, /column "message" of a block: /)
})

t.test('a file that is neither is refused, and what is not there is wrong usage', async t => {
  const directory = t.testdir({ letter: 'dear grandmother', '00000009.seg': '', 'x.log': '' })
  t.match(await inspect(join(directory, 'letter')), {
    code: 1,
    printed: '',
    complained: /letter: offset 0: neither a segment nor/,
  })
  t.match(await inspect('--verify', join(directory, '00000009.seg')), { code: 1 })
  t.match(await inspect('--json', join(directory, 'letter')), { code: 1, printed: /"faults":\[\{/ })
  t.match(await inspect(join(directory, 'missing')), { code: 2, complained: /ENOENT/ })
  t.match(await inspect(), { code: 2, complained: /name a segment/ })
  t.match(await inspect('--verify', '--records', directory), { code: 2 })
  t.match(await inspect('--what', directory), { code: 2, complained: /--what/ })
})

t.test('a reader that stops early ends the program without a complaint', async t => {
  const path = segmentPath(t.testdir(), day, 42)
  sealRecords(path, 42, [records(20_000)], info)
  const command = '"$0" "$1" inspect --records "$2" | head -n 1'
  const { status, stdout, stderr } = spawnSync(
    'sh',
    ['-c', command, process.execPath, await builtProgram(), path],
    { encoding: 'utf8', env: passedOn() },
  )
  t.match({ status, stderr }, { status: 0, stderr: '' })
  t.match(JSON.parse(stdout), { message: /^request 0 / })
})
