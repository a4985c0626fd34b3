import fc from 'fast-check'
import t from 'tap'
import { parseEvent } from '../../src/ingest/json.ts'
import { readTimestamp } from '../../src/ingest/timestamp.ts'

t.test('RFC 3339 is read', async t => {
  const reads = (text: string, iso: string) =>
    t.equal(new Date(readTimestamp(text, 'time')).toISOString(), iso, text)

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
  const reads = (text: string) =>
    t.equal(new Date(readTimestamp(text, 'time')).toISOString(), '2016-12-31T23:59:59.999Z', text)

  reads('2016-12-31T23:59:60Z')
  reads('2016-12-31T23:59:60.5Z')
  reads('2017-01-01T00:59:60+01:00')
})

t.test('epoch time is read in the unit that its size tells', async t => {
  const reads = (value: unknown, ms: number) =>
    t.equal(readTimestamp(value, 'time'), ms, String(value))

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
  const reads = (value: string, ms: number) => t.equal(readTimestamp(value, 'time'), ms, value)

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
  t.equal(readTimestamp(value, 'time'), 1686026893735)
  t.equal(readTimestamp(parseEvent(Buffer.from('1.68602689373599999999e9')), 'time'), 1686026893735)
})

t.test('what is not a time is refused, naming the field', async t => {
  const refuses = (value: unknown) =>
    t.throws(
      () => readTimestamp(value, 'at'),
      { code: 'timestamp_unreadable', extras: { field: 'at' } },
      JSON.stringify(value),
    )

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
  refuses('2023-01-01T00:00:00')
  refuses('2023-01-01')
  refuses('2023-01-01T00:00Z')
  refuses('2023-01-01T00:00:00.Z')
  refuses('2023-01-01T00:00:00+24:00')
  refuses('2023-01-01T00:00:00+01:60')
  refuses('2023-01-01T00:00:00+0100')
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
  fc.assert(
    fc.property(fc.date(years0to9999), date => {
      return readTimestamp(date.toISOString(), 'time') === date.getTime()
    }),
  )
})

t.test('the same instant in four units is the same timestamp', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 1e8, max: 9e10 }), seconds => {
      const ms = seconds * 1000
      return [`${seconds}`, `${seconds}000`, `${seconds}000000`, `${seconds}000000000`].every(
        text => readTimestamp(text, 'time') === ms,
      )
    }),
  )
})
