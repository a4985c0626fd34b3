import fs from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { hourMs } from '../../src/time-units.ts'
import { startService } from '../service/service-process.ts'
import { until } from '../until.ts'
import { metricBecomes } from './events-oracle.ts'

const preload = pathToFileURL(join(import.meta.dirname, './moved-clock.ts')).href
const flags = ['--journal-file-bytes', '4KiB']

/** A service whose clock the test sets. */
async function startAt(directory: string, time: number, more: readonly string[] = []) {
  const clock = join(directory, 'clock')
  const set = (now: number) => fs.writeFileSync(clock, String(now))
  set(time)
  const environment = { MOVED_CLOCK: clock, NODE_OPTIONS: `--no-warnings --import=${preload}` }
  const options = { flags: [...flags, ...more], environment }
  const service = await startService(join(directory, 'data'), options)
  return { service, set }
}

t.test('wherever the clock jumps, each record has its time and each range its records', async t => {
  const directory = t.testdir({ data: {} })
  const year1970 = 10_000
  const year2100 = Date.UTC(2100, 0, 1)
  const today = Date.UTC(2026, 10, 20, 12)
  const { service, set } = await startAt(directory, today)
  t.teardown(() => service.end('SIGKILL'))
  const token = await service.makeToken()
  const expected: { time: number; message: string }[] = []
  const send = async (time: number, count = 20) => {
    set(time)
    for (let i = 0; i < count; i++) {
      const message = `${expected.length} ${'x'.repeat(100)}`
      const sent = { token, body: { message } }
      t.equal((await service.call('POST', '/api/v1/webhook/event/log', sent)).status, 200)
      expected.push({ time, message })
    }
  }
  // Forwards, an hour back, to the beginning of time and beyond the end of the century, and home.
  const moments = [today, today + 1, today - hourMs, year1970, year2100, today, today + 2]
  for (const moment of moments) await send(moment)

  const ranges = [
    [0, 8.64e15],
    [year1970, year1970],
    [0, today - 1],
    [today, today],
    [today - hourMs, today + 1],
    [today + 2, year2100 - 1],
    [year2100, year2100],
    [year2100 + 1, 8.64e15],
  ] as const
  const answersRightly = async (from: typeof service, when: string) => {
    for (const [startTime, endTime] of ranges) {
      for (const order of ['asc', 'desc'] as const) {
        const { body } = await from.query('logs', { startTime, endTime, limit: 1_000, order })
        const inRange = expected
          .filter(({ time }) => startTime <= time && time <= endTime)
          .map((record, arrival) => ({ ...record, arrival }))
          .sort((a, b) => a.time - b.time || a.arrival - b.arrival)
        if (order === 'desc') inRange.reverse()
        const messages = body.logs.map((log: { message: string }) => log.message)
        t.equal(body.count, inRange.length, `${when}: ${startTime} to ${endTime}`)
        t.same(
          messages,
          inRange.map(({ message }) => message),
          'in order of time, then of arrival',
        )
      }
    }
  }
  await answersRightly(service, 'at once')
  await metricBecomes(service, 'segment_records', count => count > 0)
  t.equal(await service.end(), 0)

  const { service: again } = await startAt(directory, year1970)
  t.teardown(() => again.end('SIGKILL'))
  await metricBecomes(again, 'journal_unsealed_files', count => count === 0)
  await answersRightly(again, 'after a restart in 1970')
  t.equal(await again.end(), 0)
})

t.test('late and future events are found where their own times are', async t => {
  const directory = t.testdir({ data: {} })
  const now = Date.UTC(2026, 10, 20, 12)
  const { service } = await startAt(directory, now)
  t.teardown(() => service.end('SIGKILL'))
  const token = await service.makeToken()
  // Hours from two years ago to one ahead, none in order, and a change to summer time among them.
  const times = Array.from(
    { length: 500 },
    (_, i) => now + (((i * 7919) % 25_000) - 17_000) * hourMs,
  )
  const events = times.map((at, i) => ({ message: `${i}`, at }))
  await service.send(token, events, 'at')
  const sorted = times.map((time, i) => [time, `${i}`] as const).sort(([a], [b]) => a - b)
  for (const [from, to] of [
    [0, 500],
    [100, 101],
    [250, 400],
    [499, 500],
  ] as const) {
    const chosen = sorted.slice(from, to)
    const range = { startTime: chosen[0]![0], endTime: chosen.at(-1)![0], limit: 1_000 }
    const { body: found } = await service.query('logs', range)
    const messages = found.logs.map((log: { message: string }) => log.message)
    t.same(
      messages,
      chosen.map(([, message]) => message),
    )
  }
})

t.test(
  'a record of the year 2100 and a clock 400 days ahead let retention delete nothing',
  async t => {
    const directory = t.testdir({ data: {} })
    const today = Date.UTC(2026, 10, 20, 12)
    const ahead = today + 400 * 24 * hourMs
    const retention = ['--retention-age', '30d']
    const { service, set } = await startAt(directory, today, retention)
    t.teardown(() => service.end('SIGKILL'))
    const token = await service.makeToken()
    let expected = 0
    /** Enough for a journal file, which is sealed, and then retention is looked at. */
    const send = async (to: typeof service, at?: number) => {
      const sealed = (await to.call('GET', '/metrics')).body.match(
        /_sealed_records_total (\d+)/,
      )![1]
      const events = Array.from({ length: 40 }, () => ({ message: 'x'.repeat(100), at }))
      await to.send(token, events, at === undefined ? undefined : 'at')
      expected += 40
      // The file is closed by the first events after it is full.
      await to.send(token, { message: 'next' })
      expected++
      await metricBecomes(to, 'sealed_records_total', count => count > Number(sealed))
    }
    const isDoubted = async (of: typeof service) =>
      /logstrata_health_reason\{reason="clock_doubted"\} 1/.test(
        (await of.call('GET', '/metrics')).body,
      )
    const countOf = async (of: typeof service) =>
      (await of.query('count(logs)', { limit: 1 })).body.count

    await send(service)
    await send(service, Date.UTC(2100, 0, 1))
    set(ahead)
    await send(service)
    await until(() => isDoubted(service))
    t.equal(await countOf(service), expected)
    await service.end('SIGKILL')

    const { service: again, set: setAgain } = await startAt(directory, ahead, retention)
    t.teardown(() => again.end('SIGKILL'))
    await until(() => isDoubted(again))
    t.match((await again.call('GET', '/health')).body, {
      status: 'degraded',
      reasons: [/^clock_doubted: .*--accept-clock/],
    })
    setAgain(today + hourMs)
    await send(again)
    await until(async () => !(await isDoubted(again)))
    t.equal(await countOf(again), expected, 'retention was looked at in between')
    t.equal(await again.end(), 0)

    const { service: told } = await startAt(directory, ahead, [...retention, '--accept-clock'])
    t.teardown(() => told.end('SIGKILL'))
    const old = { endTime: today + 2 * hourMs }
    await until(async () => (await told.query('logs', old)).body.count === 0)
    t.ok((await countOf(told)) >= 80, 'what came lately, and what is of the future, stays')
    t.equal(await told.end(), 0)
  },
)
