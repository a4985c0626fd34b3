import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { formatTime, Instant, parseTime } from '../../../src/query/stages/dates.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'
import { through } from './rows.ts'

const time = new Instant(Date.parse('2022-06-07T04:05:24.120Z'), 3000)

t.test('a layout is written as Go writes it', async t => {
  for (const [layout, written] of [
    // The constants of Go's package time.
    ["01/02 03:04:05PM '06 -0700", "06/07 04:05:24AM '22 +0000"],
    ['Mon Jan _2 15:04:05 2006', 'Tue Jun  7 04:05:24 2022'],
    ['Mon Jan _2 15:04:05 MST 2006', 'Tue Jun  7 04:05:24 UTC 2022'],
    ['02 Jan 06 15:04 MST', '07 Jun 22 04:05 UTC'],
    ['Monday, 02-Jan-06 15:04:05 MST', 'Tuesday, 07-Jun-22 04:05:24 UTC'],
    ['Mon, 02 Jan 2006 15:04:05 -0700', 'Tue, 07 Jun 2022 04:05:24 +0000'],
    ['2006-01-02T15:04:05Z07:00', '2022-06-07T04:05:24Z'],
    ['2006-01-02T15:04:05.999999999Z07:00', '2022-06-07T04:05:24.120003Z'],
    ['3:04PM', '4:05AM'],
    ['Jan _2 15:04:05.000000', 'Jun  7 04:05:24.120003'],
    ['2006-01-02 15:04:05', '2022-06-07 04:05:24'],
    // The layouts of Loki's documentation and tests.
    ['2006-01-02T15:04:05.00Z-07:00', '2022-06-07T04:05:24.12Z+00:00'],
    ['2006-01-02T15:04:05.00Z00:00', '2022-06-07T04:05:24.12Z00:00'],
    ['January 2, 1/2 5s ,000 pm 002 __2', 'June 7, 6/7 24s ,120 am 158 158'],
    ['Janet Mondays .9 .99999999999 -07 -070000 Z0700', 'Janet Tuesdays .1 .120003 +00 +000000 Z'],
    ['no time, été 😀', 'no time, été 😀'],
  ] as const) {
    t.equal(formatTime(layout, time), written, layout)
  }
  t.equal(formatTime('.999|3PM', new Instant(Date.UTC(2000, 0, 1, 12))), '|12PM')
})

t.test('a text is read as Go reads it', async t => {
  for (const [layout, text, read, zone] of [
    ['2006-01-02', '2021-11-02', '2021-11-02T00:00:00.000Z'],
    ['2006-01-02T15:04:05.999999999Z', '2021-11-02T01:02:03.25Z', '2021-11-02T01:02:03.250Z'],
    ['2006-01-02 15:04:05', '2021-11-02 01:02:03,123456', '2021-11-02T01:02:03.123456000Z'],
    ['2006-01-02T15:04:05Z07:00', '2021-11-02T01:02:03+01:30', '2021-11-01T23:32:03.000Z'],
    ['02/Jan/2006:15:04:05 -0700', '10/Jun/2021:09:14:29 -0230', '2021-06-10T11:44:29.000Z'],
    ['Mon Jan _2 15:04:05 MST 2006', 'tue nov  2 01:02:03 UTC 2021', '2021-11-02T01:02:03.000Z'],
    ['3:04PM 1/2/06', '12:05AM 2/28/99', '1999-02-28T00:05:00.000Z'],
    ['3:04PM 1/2/06', '12:05PM 2/28/68', '2068-02-28T12:05:00.000Z'],
    ['2006 002', '2020 366', '2020-12-31T00:00:00.000Z'],
    ['2006-01-02 15:04', '2021-07-01 12:00', '2021-07-01T10:00:00.000Z', 'Europe/Berlin'],
    ['2006-01-02 15:04', '2021-10-31 12:00', '2021-10-31T11:00:00.000Z', 'Europe/Berlin'],
    ['2006-01-02 15:04', '2021-01-01 00:10', '2020-12-31T18:25:00.000Z', 'Asia/Kathmandu'],
    ['2006-01-02 15:04Z07:00', '2021-07-01 12:00Z', '2021-07-01T12:00:00.000Z', 'Europe/Berlin'],
  ] as const) {
    t.equal(String(parseTime(layout, text, zone)), read, `${text} as ${layout}`)
  }
  for (const [layout, text] of [
    ['2006-01-02', '2021-02-29'],
    ['2006-01-02', '2021-13-01'],
    ['2006-01-02', '2021-1-01'],
    ['2006-01-02', '2021-01-01 '],
    ['15:04', '24:00'],
    ['2006 002', '2021 366'],
    ['2006 MST', '2021 CEST'],
    ['05.000', '03.12'],
    ['2006', ''],
  ] as const) {
    t.equal(parseTime(layout, text), undefined, `${text} as ${layout}`)
  }
  t.throws(() => parseTime('2006', '2021', 'Nowhere/Else'), RangeError)
})

t.test('what is written is read again as the same time', async () => {
  const layout = fc
    .tuple(
      fc.constantFrom('2006-01-02', '02 Jan 2006', 'January 2, 2006', 'Mon 1/2/2006', '2006 002'),
      fc.constantFrom(' 15:04:05', ' 3:4:5 PM', 'T03:04:05pm', '_15h4m05'),
      fc.constantFrom('.000000000', '.999999999', ',000000000'),
      fc.constantFrom('', 'Z07:00', ' -0700', ' MST', '-07'),
    )
    .map(parts => parts.join(''))
  const property = fc.property(
    layout,
    fc.integer({ min: Date.UTC(1000, 0, 1), max: Date.UTC(9999, 11, 31) }),
    fc.integer({ min: 0, max: 999_999 }),
    (layout, ms, nanos) => {
      const time = new Instant(ms, nanos)
      const text = formatTime(layout, time)
      assert.equal(String(parseTime(layout, text)), String(time), `${text} as ${layout}`)
    },
  )
  fc.assert(property, longRuns(2000))
})

t.test('a clock of a zone is read back to the time at which it shows that', async () => {
  const zones = [
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kathmandu',
    'Australia/Lord_Howe',
    'UTC',
  ]
  forAll(
    longRuns(1000),
    fc.constantFrom(...zones),
    fc.integer({ min: Date.UTC(1990, 0, 1) / 1000, max: Date.UTC(2030, 0, 1) / 1000 }),
    (zone, seconds) => {
      const shown = (ms: number) => new Date(ms).toLocaleString('sv-SE', { timeZone: zone })
      const clock = shown(seconds * 1000)
      const { ms } = parseTime('2006-01-02 15:04:05', clock, zone)!
      // Of an hour that is twice, either.
      assert.equal(shown(ms), clock, zone)
    },
  )
})

t.test('hostile layouts take time in proportion to them', async t => {
  const digits = '1'.repeat(8000)
  t.equal(parseTime(`${digits}x`, `${digits}y`), undefined)
  t.ok(formatTime('2006'.repeat(4000), time).length > 0)
})

t.test('templates read, write and compare times', async t => {
  const gives = (template: string, line: string, own = {}) =>
    t.equal(through(`| line_format \`${template}\``, 'was', own)!.line, line, template)
  gives('{{ date "2006-01-02" (toDate "2006-01-02" "2021-11-02") }}', '2021-11-02')
  gives(
    '{{ sub (unixEpoch (toDate "2006-01-02" "2021-11-02")) (unixEpoch (toDate "2006-01-02" "2021-11-01")) }}',
    '86400',
  )
  gives(
    '{{ __timestamp__ | date "15:04:05.000" }} {{ __timestamp__ | unixEpochNanos }}',
    '10:00:00.000 1763632800000000000'.replace(
      '1763632800',
      String(Date.parse('2026-11-20T10:00:00Z') / 1000),
    ),
  )
  gives(
    '{{ .at | toDateInZone "2006-01-02 15:04" "Europe/Berlin" | unixEpochMillis }}',
    String(Date.parse('2021-07-01T10:00:00Z')),
    { at: '2021-07-01 12:00' },
  )
  gives('{{ .from | unixToTime | date "2006-01-02" }}', '2023-03-23', { from: '1679577215' })
  for (const digits of [
    '19439',
    '1679577215',
    '1679577215123',
    '1679577215123456',
    '1679577215123456789',
  ])
    gives(`{{ unixToTime "${digits}" | date "2006-01-02" }}`, '2023-03-23')
  gives('{{ date "2006" 0 }} {{ div (unixEpoch now) (unixEpoch now) }}', '1970 1')
  gives(
    '{{ unixEpoch "2026-11-20T10:00:00.5Z" }}',
    String(Date.parse('2026-11-20T10:00:00Z') / 1000),
  )
  for (const failing of [
    'unixToTime "12"',
    'unixToTime "12345x7890"',
    'toDate "2006-01-02" "yesterday"',
    'toDateInZone "2006" "Nowhere/Else" "2021"',
    'unixEpoch "5"',
    'date "2006" "soon"',
  ]) {
    const { line, made } = through(`| line_format \`{{ ${failing} }}\``, 'was')!
    t.match({ line, made }, { line: 'was', made: { __error__: 'TemplateFormatErr' } }, failing)
  }
})
