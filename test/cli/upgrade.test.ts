import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { runCommand } from '../../src/cli/commands.ts'
import { describeSegment } from '../../src/cli/inspect/segment.ts'
import { journalPath } from '../../src/journal/files.ts'
import { listSegments, segmentPath } from '../../src/segment/files.ts'
import { readFooter } from '../../src/segment/footer.ts'
import { writeManifest } from '../../src/store/backup-manifest.ts'
import { sealJournal } from '../../src/store/maintain/seal.ts'
import { dayMs } from '../../src/time-units.ts'
import { builtProgram, passedOn } from '../built.ts'
import { claimFormat, toFormat1 } from '../segment/other-formats.ts'
import { type StreamRecord, sealRecords, writeJournal } from '../segment/sealed.ts'
import { type ServiceProcess, startServiceOf } from '../service/service-process.ts'
import { messagesIn, openStoreIn } from '../store/store-in.ts'
import { fakeTerminal } from './fake-terminal.ts'

const program = await builtProgram()
const days = ['2026-11-19', '2026-11-20']
const recordsPerSegment = 90
/** The clock of the machine is believed when it is near to that. */
const madeAt = Date.now() - 60_000

function records(day: string, first: number): StreamRecord[] {
  return Array.from({ length: recordsPerSegment }, (_, n) => {
    const i = first + n
    const stream = { service: n < 60 ? 'checkout' : 'search', environment: 'prod' }
    const message = i % 3 === 0 ? `session of user-${i} opened` : `order ${i} paid in ${i % 90} ms`
    const attributes = ['region', 'eu', ...(i % 5 === 0 ? ['retry', `${i % 7}`] : [])]
    const level = i % 10 === 0 ? 'error' : 'info'
    return { stream, timestamp: Date.parse(day) + i * 10, level, message, attributes }
  })
}

/** Segments 1 to 6 of two days, of which 5 is of format 3; too few of a day to be merged. */
function makeSegments(dataDir: string): void {
  for (let number = 1; number <= 6; number++) {
    const day = days[number % 2]!
    const path = segmentPath(join(dataDir, 'segments'), day, number)
    const all = records(day, number * recordsPerSegment)
    const replaces = { journals: [number], segments: [] }
    const createdAt = madeAt + number
    sealRecords(path, number, [all.slice(0, 60), all.slice(60)], {
      createdAt,
      replaces,
      group: [number],
    })
    if (number !== 5) toFormat1(path)
  }
}

/** The formats of all segments, by their numbers. */
function formatsIn(dataDir: string): Record<number, number | null> {
  const places = listSegments(join(dataDir, 'segments'))
  return Object.fromEntries(
    places.map(({ path, number }) => [number, describeSegment(path).format]),
  )
}

async function upgrade(dataDir: string, flags: string[] = [], terminal = fakeTerminal()) {
  const code = await runCommand(['upgrade', '--data-dir', dataDir, ...flags], terminal)
  return { code, printed: terminal.printed(), complained: terminal.complained() }
}

/** Runs the program as it is shipped, as a process of its own. */
function run(argv: readonly string[], environment: Record<string, string> = {}) {
  const env = { ...passedOn(), ...environment }
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], {
    encoding: 'utf8',
    env,
  })
  return { code: status ?? signal, stdout, stderr }
}

const questions = [
  'logs',
  'logs |= "paid in"',
  'logs |= "user-21"',
  'logs |~ "user-\\\\d*3 "',
  'logs |= "kubelet"',
  'logs{retry="3"} != "session"',
  'count by (service.name, log_level) (logs)',
]

async function answersOf(service: ServiceProcess): Promise<unknown[]> {
  const answers: unknown[] = []
  for (const query of questions) {
    const { status, body } = await service.query(query, { limit: 1_000 })
    const { stats: _, ...answer } = body
    answers.push({ query, status, ...answer })
  }
  return answers
}

t.test('a directory of a stopped service is upgraded, and answers as before', async t => {
  const dataDir = t.testdir()
  makeSegments(dataDir)
  const first = await startServiceOf(t, dataDir)
  const token = await first.makeToken()
  await first.send(token, { message: 'order 7 paid in the journal' })
  const before = await answersOf(first)
  t.match(before[0], { count: 6 * recordsPerSegment + 1 })
  t.match(before[4], { count: 0 })

  const refused = run(['upgrade', '--data-dir', dataDir])
  t.match(refused, { code: 1, stdout: '' })
  t.equal(
    refused.stderr,
    `logstrata: the data directory ${dataDir} is in use by process ${first.pid}; stop it first\n`,
  )
  t.equal(await first.end(), 0)
  // What the service sealed now is segment 7.
  t.same(formatsIn(dataDir), { 1: 1, 2: 1, 3: 1, 4: 1, 5: 3, 6: 1, 7: 3 })

  const { code, stdout, stderr } = run(['upgrade', '--data-dir', dataDir])
  t.match({ code, stdout }, { code: 0, stdout: '' })
  t.match(
    stderr,
    /^upgraded 5 segments to format 3, [\d.]+ KiB are now [\d.]+ KiB, in \d+\.\d s\n$/,
  )
  t.same(formatsIn(dataDir), { 5: 3, 7: 3, 8: 3, 9: 3, 10: 3, 11: 3, 12: 3 })
  const times = listSegments(join(dataDir, 'segments')).map(
    ({ path }) => readFooter(path).createdAt,
  )
  t.equal(
    times.filter(time => time <= madeAt + 6).length,
    6,
    'what retention knows of the clock stays',
  )
  t.match(run(['inspect', '--verify', dataDir]), { code: 0, stderr: '' })

  const second = await startServiceOf(t, dataDir)
  t.same(await answersOf(second), before)
  t.notMatch(second.output.stderr, /index|segment/)
  const { body: health } = await second.call('GET', '/health')
  t.same(health, { status: 'ok' })
  t.equal(await second.end(), 0)

  const nothing = `nothing to upgrade in ${dataDir}: of 7 segments all are of format 3\n`
  t.match(run(['upgrade', '--data-dir', dataDir]), { code: 0, stdout: '', stderr: nothing })
})

for (const point of ['upgrade:written', 'upgrade:indexed', 'upgrade:removed']) {
  t.test(`a crash at ${point} loses nothing and doubles nothing`, async t => {
    const dataDir = t.testdir()
    makeSegments(dataDir)
    const crashed = run(['upgrade', '--data-dir', dataDir], { CRASH_AT: point })
    t.equal(crashed.code, 'SIGKILL', crashed.stderr)
    const formats = Object.values(formatsIn(dataDir))
    t.equal(formats.filter(format => format === 3).length, 2)
    t.equal(formats.length, point === 'upgrade:removed' ? 6 : 7)

    const service = await startServiceOf(t, dataDir)
    const { body } = await service.query('logs', { limit: 1_000 })
    const all = [1, 2, 3, 4, 5, 6].flatMap(n => records(days[n % 2]!, n * recordsPerSegment))
    t.equal(body.count, all.length)
    const found = body.logs.map(({ message }: { message: string }) => message)
    t.same(found.sort(), all.map(({ message }) => message).sort())
    t.equal(await service.end(), 0)

    t.match(run(['upgrade', '--data-dir', dataDir]), { code: 0, stderr: /^upgraded 4 segments/ })
    t.ok(Object.values(formatsIn(dataDir)).every(format => format === 3))
  })
}

t.test('an interrupt ends it, and the next upgrade goes on', async t => {
  const dataDir = t.testdir()
  makeSegments(dataDir)
  const terminal = fakeTerminal()
  terminal.interrupt.abort()
  const { code, complained } = await upgrade(dataDir, [], terminal)
  t.match(complained, /^upgraded 0 of 5 segments .*interrupted: run it again for the rest\n$/)
  t.equal(code, 130)
  t.match(await upgrade(dataDir), { code: 0, complained: /^upgraded 5 segments/ })
})

t.test('a damaged segment stays as it is and is named; the others are upgraded', async t => {
  const dataDir = t.testdir()
  makeSegments(dataDir)
  const path = segmentPath(join(dataDir, 'segments'), days[0]!, 2)
  const bytes = fs.readFileSync(path)
  bytes[30]! ^= 4 // In the first chunk of the first block.
  fs.writeFileSync(path, bytes)
  const { code, printed, complained } = await upgrade(dataDir, ['--json'])
  t.equal(code, 1)
  const name = 'segments/2026-11-19/00000002.seg'
  t.match(complained, new RegExp(`^logstrata: ${name} stays as it is: .*checksum of a chunk`))
  t.match(complained, /^upgraded 4 of 5 segments/m)
  t.match(JSON.parse(printed), {
    format: 3,
    segments: 6,
    found: 5,
    upgraded: 4,
    left: [{ path: name, reason: /checksum of a chunk/ }],
    isInterrupted: false,
  })
  t.same(fs.readFileSync(path), bytes)
  t.same(formatsIn(dataDir), { 2: 1, 5: 3, 7: 3, 9: 3, 10: 3, 11: 3 })
  const again = await upgrade(dataDir, ['--quiet'])
  t.match(again, { code: 1, complained: /^logstrata: .*00000002\.seg stays as it is: .*\n$/ })
})

/** A journal file with records of three days, and the segments of format 1 that it was sealed into. */
function sealedOnce(dataDir: string): string[] {
  const path = journalPath(join(dataDir, 'journal'), 4)
  const stream = { service: 'api', environment: 'prod' }
  const list = [0, 1, 2].map(day => {
    return { stream, timestamp: day * dayMs, level: 'info', message: `${day}`, attributes: [] }
  })
  writeJournal(path, 4, [list])
  const directory = join(dataDir, 'segments')
  const written = sealJournal({
    journal: { path, file: 4 },
    directory,
    receiptsDirectory: join(dataDir, 'receipts'),
    firstNumber: 7,
    createdAt: 5,
  })
  const paths = written.map(segment => segment.path)
  for (const path of paths) toFormat1(path)
  return paths
}

async function messagesOf(dataDir: string): Promise<string[]> {
  const store = await openStoreIn(dataDir)
  try {
    return await messagesIn(store)
  } finally {
    await store.close()
  }
}

t.test('segments whose journal file is still there are upgraded as they count', async t => {
  const whole = t.testdir()
  sealedOnce(whole)
  t.match(await upgrade(whole), { code: 0, complained: /^upgraded 3 segments/ })
  t.same(fs.readdirSync(join(whole, 'journal')), [])
  t.same(await messagesOf(whole), ['0', '1', '2'])
})

t.test('a file that was sealed by half is sealed again after an upgrade', async t => {
  const cut = t.testdir()
  const [first] = sealedOnce(cut)
  fs.rmSync(first!)
  t.match(await upgrade(cut), { code: 0, complained: /there are no segments/ })
  t.same(await messagesOf(cut), ['0', '1', '2'])
})

t.test('on a terminal the progress is drawn, and wiped', async t => {
  const dataDir = t.testdir()
  makeSegments(dataDir)
  const terminal = fakeTerminal({ isTTY: true, columns: 100 })
  const { code, complained } = await upgrade(dataDir, [], terminal)
  t.equal(code, 0)
  t.match(complained, / 0% ·{20} {2}0 of 5 segments {2}0 B of [\d.]+ KiB/)
  t.match(complained, /\r\x1b\[Kupgraded 5 segments to format 3/)
})

t.test('what cannot be upgraded is refused, and nothing is changed', async t => {
  const dataDir = t.testdir({ notes: 'mine', newer: {} })
  const refuses = async (code: number, complaint: RegExp, ...argv: string[]) => {
    const terminal = fakeTerminal()
    t.equal(await runCommand(['upgrade', ...argv], terminal), code)
    t.match(terminal.complained(), complaint)
  }
  await refuses(2, /there is no data directory at/, '--data-dir', join(dataDir, 'none'))
  await refuses(2, /there is no data directory at/, '--data-dir', dataDir)
  await refuses(2, /unexpected argument "x"/, 'x')
  t.same(fs.readdirSync(dataDir).sort(), ['newer', 'notes'])
  const newer = join(dataDir, 'newer')
  makeSegments(newer)
  claimFormat(segmentPath(join(newer, 'segments'), days[1]!, 3), 9)
  await refuses(1, /has format 9, this program knows formats up to 3; start/, '--data-dir', newer)
  t.same(fs.readdirSync(newer), ['segments'])
  t.equal(listSegments(join(newer, 'segments')).length, 6)
})

const isRoot = process.getuid?.() === 0
t.test('the directory of another user is refused', { skip: !isRoot && 'not root' }, async t => {
  const dataDir = t.testdir()
  makeSegments(dataDir)
  fs.chownSync(join(dataDir, 'segments'), 1234, 1234)
  const { code, complained } = await upgrade(dataDir)
  t.equal(code, 1)
  t.match(complained, /belongs to another user \(1234\); run this as the user of the service/)
  t.same(fs.readdirSync(dataDir), ['segments'])
})

t.test('a backup that is upgraded is one no more, and says what it lacked', async t => {
  const dataDir = t.testdir()
  makeSegments(dataDir)
  const files = [{ path: 'segments/2026-11-20/00000099.seg', bytes: 5 }]
  writeManifest(dataDir, { createdAt: 0, version: '0.1.0', files })
  const { code, complained } = await upgrade(dataDir)
  t.equal(code, 0)
  t.match(complained, /^logstrata: restored from a backup, whose file .*99\.seg is missing$/m)
  t.notOk(fs.existsSync(join(dataDir, 'backup.json')))
})
