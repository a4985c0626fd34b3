/** The benchmarks judge by these records, so what they promise about them is held here. */
import t from 'tap'
import { needles } from '../../bench/needles.ts'
import { labelledLine, type MadeRecord, makeRecords, timeOf } from '../../bench/records.ts'
import { environments, services, streams } from '../../bench/streams.ts'
import { levels } from '../../bench/templates/template.ts'

const count = 40_000
const records = [...makeRecords({ seed: 7, count })]

const shareOf = (matches: (record: MadeRecord) => boolean) => records.filter(matches).length / count
const distinct = (keyOf: (record: MadeRecord) => unknown) => new Set(records.map(keyOf)).size

t.test('the same seed makes the same records, another seed others', async t => {
  const json = (seed: number) =>
    Array.from(makeRecords({ seed, count: 500 }), record => record.json)
  t.same(json(7), json(7))
  t.notSame(json(7), json(8))
})

t.test('every record is JSON on one line that says what the record says', async t => {
  const isWrong = (record: MadeRecord) => {
    const event = JSON.parse(record.json)
    return (
      record.json.includes('\n') ||
      event.message !== record.message ||
      event.level !== record.level ||
      event.ts !== record.timestamp ||
      event.host !== record.host ||
      event.http.status !== record.status ||
      event.duration_ms !== record.durationMs ||
      event.trace_id !== record.traceId ||
      !/^[0-9a-f]{32}$/.test(record.traceId)
    )
  }
  t.same(records.filter(isWrong), [])
})

t.test('a record has about 330 bytes', async t => {
  const bytes = records.reduce((sum, { json }) => sum + Buffer.byteLength(json), 0)
  const mean = bytes / count
  t.ok(mean > 320 && mean < 345, `the mean is ${mean}`)
})

t.test('all streams, levels, hosts and many templates take part', async t => {
  t.equal(services.length, 16)
  t.equal(environments.length, 2)
  t.equal(
    distinct(record => record.stream),
    streams.length,
  )
  t.equal(
    distinct(record => record.host),
    40,
  )
  for (const { service, templates } of services) {
    const templateCount = levels.reduce((sum, level) => sum + templates[level].length, 0)
    t.ok(templateCount >= 12, `${service} has ${templateCount} templates`)
  }
})

t.test('shares are those that the queries count on', async t => {
  const lies = (name: string, share: number, from: number, to: number) =>
    t.ok(from <= share && share <= to, `${name}: ${share}`)

  lies(
    'debug',
    shareOf(({ level }) => level === 'debug'),
    0.09,
    0.11,
  )
  lies(
    'info',
    shareOf(({ level }) => level === 'info'),
    0.74,
    0.78,
  )
  lies(
    'warn',
    shareOf(({ level }) => level === 'warn'),
    0.08,
    0.1,
  )
  lies(
    'error',
    shareOf(({ level }) => level === 'error'),
    0.045,
    0.055,
  )
  lies('phrase', shareOf(holds(needles.phrase)), 0.0275, 0.0335)
  lies('substring', shareOf(holds(needles.substring)), 0.0295, 0.0355)
  lies('digits', shareOf(holds(needles.digits)), 0.0001, 0.01)
  lies(
    'regex',
    shareOf(({ message }) => new RegExp(needles.regex).test(message)),
    0.01,
    0.2,
  )
  lies(
    'status 304',
    shareOf(({ status }) => status === 304),
    0.135,
    0.151,
  )
  lies('several lines', shareOf(holds('\n')), 0.003, 0.03)
  lies(
    'not ASCII',
    shareOf(({ message }) => /[^\u0000-\u007f]/.test(message)),
    0.03,
    0.15,
  )
  lies('nowhere', shareOf(holds(needles.nowhere)), 0, 0)
})

t.test('the substring is never a word of its own', async t => {
  const alone = new RegExp(`\\b${needles.substring}|${needles.substring}\\b`)
  t.equal(
    shareOf(({ message }) => alone.test(message)),
    0,
  )
})

t.test('one record has the known trace id, and no two share one', async t => {
  t.equal(records.filter(({ json }) => json.includes(needles.traceId)).length, 1)
  t.equal(
    distinct(({ json }) => JSON.parse(json).trace_id),
    count,
  )
})

t.test('the known trace id can be left out', async t => {
  const made = [...makeRecords({ seed: 7, count: 1_000, isPlanted: false })]
  t.equal(made.filter(({ json }) => json.includes(needles.traceId)).length, 0)
})

t.test('times lie in the range, spread evenly, almost in order', async t => {
  const [startTime, endTime] = [1_000_000, 5_000_000]
  const times = Array.from(
    makeRecords({ seed: 7, count, startTime, endTime }),
    ({ timestamp }) => timestamp,
  )
  t.ok(times.every(time => Number.isInteger(time) && startTime <= time && time < endTime))
  const inFirstQuarter = times.filter(time => time < startTime + (endTime - startTime) / 4).length
  t.ok(Math.abs(inFirstQuarter - count / 4) < 10)
  t.ok(times.every((time, index) => index === 0 || time > times[index - 1]! - 60))
})

t.test('the lines of a file become the messages of its services, in turn', async t => {
  const from = [['first "line"', 'zweite Zeile → ü', 'third\tline'], ['of another file']]
  const made = [...makeRecords({ seed: 7, count: 500, from })]
  for (const service of services.keys()) {
    const lines = from[service % 2]!
    const messages = made
      .filter(({ stream }) => stream >>> 1 === service)
      .map(({ json }) => JSON.parse(json).message)
    t.same(
      messages,
      messages.map((_, turn) => lines[turn % lines.length]),
    )
  }
})

t.test('digits of lines are varied: the last two of three or more', async t => {
  const from = [['at 12:59 sshd[24200]: 10.251.7.1 took 999 ms']]
  const made = (seed: number) =>
    Array.from(makeRecords({ seed, count: 300, from }), ({ message }) => message)
  const messages = made(7)
  const shape = /^at 12:59 sshd\[242[0-9]{2}\]: 10\.2[0-9]{2}\.7\.1 took 9[0-9]{2} ms$/
  t.same(
    messages.filter(message => !shape.test(message)),
    [],
  )
  t.ok(new Set(messages).size > 290)
  t.same(made(7), messages, 'the same seed makes the same')
})

t.test('no lines to make messages from is refused', async t => {
  t.throws(() => makeRecords({ seed: 7, count: 1, from: [] }).next(), /no line/)
  t.throws(() => makeRecords({ seed: 7, count: 1, from: [['a line'], []] }).next(), /no line/)
})

t.test('records that are many take a day for each two million', async t => {
  const hours = (count: number) => (timeOf(count).endTime - timeOf(count).startTime) / 3_600_000
  t.same([1, 2_000_000, 3_000_000, 20_000_000].map(hours), [24, 24, 36, 240])
})

t.test('a labelled line names its stream', async t => {
  const [record] = records
  const event = JSON.parse(labelledLine(record!))
  t.match(event, { service: streams[record!.stream]!.service, message: record!.message })
  t.equal(event.env, streams[record!.stream]!.environment)
})

function holds(text: string): (record: MadeRecord) => boolean {
  return ({ message }) => message.includes(text)
}
