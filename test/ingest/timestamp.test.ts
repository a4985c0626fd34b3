import fc from 'fast-check'
import t from 'tap'
import { parseEvent } from '../../src/ingest/json.ts'
import { readEventTime, readTimestamp } from '../../src/ingest/timestamp.ts'
import { forAll } from '../for-all.ts'

const msOf = (value: unknown) => readEventTime(value)?.timestamp
const isoOf = (value: unknown) => new Date(msOf(value) ?? Number.NaN).toISOString()

t.test('RFC 3339 is read', async t => {
  const reads = (text: string, iso: string) => {
    t.equal(isoOf(text), iso, text)
    t.equal(readTimestamp(text), Date.parse(iso), `${text} wherever a time is asked for`)
  }

  reads('2023-06-06T04:48:13Z', '2023-06-06T04:48:13.000Z')
  reads('2023-06-06t04:48:13z', '2023-06-06T04:48:13.000Z')
  reads('2023-06-06 04:48:13Z', '2023-06-06T04:48:13.000Z')
  reads('2023-06-06T06:48:13+02:00', '2023-06-06T04:48:13.000Z')
  reads('2023-06-06T00:18:13-04:30', '2023-06-06T04:48:13.000Z')
  reads('2023-06-06T04:48:13-00:00', '2023-06-06T04:48:13.000Z')
  reads('2023-06-06T04:48:13.7Z', '2023-06-06T04:48:13.700Z')
  reads('2023-06-06T04:48:13.735321098Z', '2023-06-06T04:48:13.735Z')
  reads('2023-06-06T04:48:13.99999999999999999999999Z', '2023-06-06T04:48:13.999Z')
  reads('2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z')
  reads('2000-02-29T00:00:00Z', '2000-02-29T00:00:00.000Z')
  reads('1969-12-31T23:59:59.999Z', '1969-12-31T23:59:59.999Z')
  reads('0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z')
  reads('0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z')
  reads('9999-12-31T23:59:59.999Z', '9999-12-31T23:59:59.999Z')
})

t.test('a leap second is the last millisecond before it', async t => {
  const reads = (text: string) => t.equal(isoOf(text), '2016-12-31T23:59:59.999Z', text)

  reads('2016-12-31T23:59:60Z')
  reads('2016-12-31T23:59:60.5Z')
  reads('2017-01-01T00:59:60+01:00')
})

t.test('epoch time is read in the unit that its size tells', async t => {
  const reads = (value: unknown, ms: number) => t.equal(msOf(value), ms, String(value))

  reads(1686026893, 1686026893000)
  reads(1686026893735, 1686026893735)
  reads(1686026893735321, 1686026893735)
  reads('1686026893', 1686026893000)
  reads('1686026893735', 1686026893735)
  reads('1686026893735321', 1686026893735)
  reads('1686026893735321098', 1686026893735)
  reads(1686026893.735321, 1686026893735)
  reads('1686026893.7359999', 1686026893735)
  reads('1686026893735.999', 1686026893735)
  reads('1.686026893735321e9', 1686026893735)
  reads('1.686026893735321E+12', 1686026893735)
  reads('000001686026893', 1686026893000)
  reads(0, 0)
  reads('0.0', 0)
  reads(0.5, 500)
  reads('0.0009', 0)
  reads('5e-324', 0)
  reads(-1, -1000)
  reads(-0.0015, -2)
  reads('-1686026893735321098', -1686026893736)
})

t.test('the units meet where they are said to meet', async t => {
  const reads = (value: string, ms: number) => t.equal(msOf(value), ms, value)

  reads('99999999999', 99_999_999_999_000)
  reads('100000000000', 100_000_000_000)
  reads('99999999999999', 99_999_999_999_999)
  reads('100000000000000', 100_000_000_000)
  reads('99999999999999999', 99_999_999_999_999)
  reads('100000000000000000', 100_000_000_000)
  reads('99999999999999999999', 99_999_999_999_999)
})

t.test('nanoseconds as a JSON number lose nothing to a double', async t => {
  const value = parseEvent(Buffer.from('1686026893735999999'))
  t.equal(msOf(value), 1686026893735)
  t.equal(msOf(parseEvent(Buffer.from('1.68602689373599999999e9'))), 1686026893735)
})

t.test('the forms of time that logs have are read, without a zone as UTC', async t => {
  const reads = (text: string, iso: string) => {
    t.equal(isoOf(text), iso, text)
    t.equal(readTimestamp(text), undefined, `${text} is for events alone`)
  }

  const time = '2026-11-20T13:55:36.000Z'
  for (const zone of [
    '',
    '+0000',
    '-0000',
    '+00',
    ' +0000',
    ' +00:00',
    ' Z',
    'UTC',
    ' UTC',
    ' GMT',
  ]) {
    reads(`2026-11-20T13:55:36${zone}`, time)
    reads(`2026/11/20 13:55:36${zone}`, time)
  }
  reads('2026-11-20 13:55:36 +0000 UTC', time)
  reads('2026-11-20T14:55:36.5+0100', '2026-11-20T13:55:36.500Z')
  reads('2026-11-20T08:55:36-05', time)
  reads('2026-11-20 13:55:36,123', '2026-11-20T13:55:36.123Z')
  reads('2026-11-20T13:55:36,123456789Z', '2026-11-20T13:55:36.123Z')
  reads('2026/11/20 13:55:36', time)
  reads('2026-12-31T23:59:60', '2026-12-31T23:59:59.999Z')
  reads('20/Nov/2026:13:55:36 +0000', time)
  reads('[20/Nov/2026:14:55:36 +0100]', time)
  reads('01/Feb/2024:00:00:00', '2024-02-01T00:00:00.000Z')
  reads('Fri Nov 20 13:55:36 2026', time)
  reads('[Fri Nov 20 13:55:36.123456 2026]', '2026-11-20T13:55:36.123Z')
  reads('Sun Nov  1 13:55:36 UTC 2026', '2026-11-01T13:55:36.000Z')
  reads('Fri, 20 Nov 2026 13:55:36 GMT', time)
  reads('Fri, 20 Nov 2026 08:55:36 -0500', time)
  reads('1 Nov 2026 13:55:36 +0000', '2026-11-01T13:55:36.000Z')
})

t.test('what is finer than a millisecond is there in nanoseconds', async t => {
  const reads = (value: unknown, nanoseconds: string | undefined) =>
    t.equal(readEventTime(value)?.nanoseconds, nanoseconds, String(value))

  reads('2026-11-20T13:55:36.123Z', undefined)
  reads('2026-11-20T13:55:36.123000000Z', undefined)
  reads('2026-11-20T13:55:36.1234Z', '1795182936123400000')
  reads('2026-11-20T13:55:36.123456789Z', '1795182936123456789')
  reads('2026-11-20T13:55:36.1230000019Z', '1795182936123000001')
  reads('2026-11-20T13:55:36.1230000009Z', undefined)
  reads('20/Nov/2026:13:55:36.000001 +0000', '1795182936000001000')
  reads('1970-01-01T00:00:00.000000001Z', '1')
  reads('1969-12-31T23:59:59.999999999Z', '-1')
  reads(1795182936123, undefined)
  reads('1795182936123456', '1795182936123456000')
  reads('1795182936123456789', '1795182936123456789')
  reads('1795182936.123456789', '1795182936123456789')
  reads('1795182936123.5', '1795182936123500000')
  reads('1795182936.1230', undefined)
  reads('0.0000005', '500')
  reads('0.0000000005', undefined)
  reads('-0.0015', '-1500000')
  reads('-0.0000000005', '-1')
  reads('-1.5', undefined)
  reads('5e-324', undefined)
})

t.test('what is not a time is none', async t => {
  const refuses = (value: unknown) =>
    t.equal(readEventTime(value), undefined, JSON.stringify(value))

  refuses('')
  refuses(' ')
  refuses('yesterday')
  refuses('2023-02-29T00:00:00Z')
  refuses('1900-02-29T00:00:00Z')
  refuses('2023-02-30T00:00:00Z')
  refuses('2023-04-31T00:00:00Z')
  refuses('2023-00-10T00:00:00Z')
  refuses('2023-13-10T00:00:00Z')
  refuses('2023-01-00T00:00:00Z')
  refuses('2023-01-01T24:00:00Z')
  refuses('2023-01-01T00:60:00Z')
  refuses('2023-01-01T00:00:61Z')
  refuses('2023-01-01T12:00:60Z')
  refuses('2023-01-01T23:59:60Z')
  refuses('2023-01-01')
  refuses('2023-01-01T00:00Z')
  refuses('2023-01-01T00:00:00.Z')
  refuses('2023-01-01T00:00:00+24:00')
  refuses('2023-01-01T00:00:00+01:60')
  refuses('2023-01-01T00:00:00+1')
  refuses('2023-01-01T00:00:00 CET')
  refuses('2023-01-01T00:00:00  +0100')
  refuses('2023-01/01 00:00:00')
  refuses('[2023-01-01T00:00:00Z')
  refuses('31/Nov/2026:13:55:36 +0000')
  refuses('20/Foo/2026:13:55:36 +0000')
  refuses('20/Nov/2026 13:55:36')
  refuses('Fri Nov 20 13:55:36')
  refuses('Fri, 20 Nov 26 13:55:36 GMT')
  refuses('Fri, 20 Nov 2026 13:55:36 PST')
  refuses(`2023-01-01T00:00:00.${'0'.repeat(1_000_000)}x`)
  refuses('12023-01-01T00:00:00Z')
  refuses(' 1686026893')
  refuses('+1686026893')
  refuses('0x10')
  refuses('1_000')
  refuses('100000000000000000000')
  refuses(1e21)
  refuses('1e400')
  refuses(parseEvent(Buffer.from('1e400')))
  refuses(Number.NaN)
  refuses(undefined)
  refuses(true)
  refuses([1686026893])
  refuses({ seconds: 1686026893 })
})

t.test('every instant that a Date prints is read back', async () => {
  const years0to9999 = {
    min: new Date('0000-01-01'),
    max: new Date('9999-12-31'),
    noInvalidDate: true,
  }
  forAll(fc.date(years0to9999), date => {
    return msOf(date.toISOString()) === date.getTime()
  })
})

t.test('the same instant in four units is the same timestamp', async () => {
  forAll(fc.integer({ min: 1e8, max: 9e10 }), seconds => {
    const ms = seconds * 1000
    return [`${seconds}`, `${seconds}000`, `${seconds}000000`, `${seconds}000000000`].every(
      text => msOf(text) === ms,
    )
  })
})
