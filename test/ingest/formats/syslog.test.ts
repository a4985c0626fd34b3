import t from 'tap'
import { readSyslog } from '../../../src/ingest/formats/syslog/syslog.ts'

const receivedAt = Date.UTC(2026, 10, 23, 18)
let unreadable = 0
const context = {
  receivedAt,
  noteUnreadableTime() {
    unreadable += 1
  },
}

/** The record of `message`, its attributes as an object. */
function read(message: string | Buffer, at = receivedAt) {
  const { attributes, ...rest } = readSyslog(Buffer.from(message as string), {
    ...context,
    receivedAt: at,
  })
  const pairs = attributes.flatMap((name, i) => (i % 2 === 0 ? [[name, attributes[i + 1]]] : []))
  t.equal(new Set(pairs.map(([name]) => name)).size, pairs.length, 'no name stands twice')
  return { ...rest, attributes: Object.fromEntries(pairs) }
}

t.test('the examples of RFC 5424 are read as it says', async t => {
  const su = '<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - \ufeff'
  t.same(read(`${su}'su root' failed for lonvick on /dev/pts/8`), {
    timestamp: Date.UTC(2003, 9, 11, 22, 14, 15, 3),
    level: 'critical',
    message: "'su root' failed for lonvick on /dev/pts/8",
    attributes: {
      hostname: 'mymachine.example.com',
      appname: 'su',
      msgid: 'ID47',
      facility: 'auth',
    },
  })
  t.match(read('<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It’s time'), {
    timestamp: Date.UTC(2003, 7, 24, 12, 14, 15),
    message: '%% It’s time',
    attributes: { procid: '8710', timestamp_ns: '1061727255000003000' },
  })
  const data = '[exampleSDID@32473 iut="3" eventID="1011"][examplePriority@32473 class="high"]'
  t.same(read(`<165>1 2003-10-11T22:14:15.003Z h evntslog - ID47 ${data}`), {
    timestamp: Date.UTC(2003, 9, 11, 22, 14, 15, 3),
    level: 'notice',
    message: '',
    attributes: {
      'exampleSDID@32473.iut': '3',
      'exampleSDID@32473.eventID': '1011',
      'examplePriority@32473.class': 'high',
      ...{ hostname: 'h', appname: 'evntslog', msgid: 'ID47', facility: 'local4' },
    },
  })
})

t.test('structured data comes back as it was before it was escaped', async t => {
  const attributes = (data: string) => read(`<13>1 - - - - - ${data} m`).attributes
  t.equal(attributes('[a@1 b="x \\"y\\" \\\\ \\] \\n"]')['a@1.b'], 'x "y" \\ ] \\n')
  t.equal(attributes('[origin ip="1" ip="2" ip="3"]')['origin.ip'], '["1","2","3"]')
  t.equal(attributes('[empty@1]')['empty@1'], '{}')
  t.equal(attributes('[a@1 __proto__="p"]')['a@1.__proto__'], 'p')
  t.equal(attributes('[service name="other"]')['payload.service.name'], 'other')
  for (const broken of ['[a@1 b="x]', '[a@1 b=x]', '[', '[a@1 b="x"', '[ a="b"]']) {
    const { message } = read(`<13>1 - - - - - ${broken}`)
    t.equal(message, broken, 'what is not whole is part of the message')
  }
  const long = 'x'.repeat(200_000)
  t.equal(attributes(`[a@1 b="${long}"]`)['a@1.b'], long)
  const tooMany = Array.from({ length: 1_001 }, (_, i) => `n${i}="1"`).join(' ')
  t.throws(() => attributes(`[a@1 ${tooMany}]`), { code: 'attributes_too_many' })
  t.throws(() => attributes(`[a@1 b="${'x'.repeat(300_000)}"]`), { code: 'attribute_too_large' })
  t.throws(() => read(`<13>1 - ${'h'.repeat(300_000)} - - - - m`), { code: 'attribute_too_large' })
})

t.test('each severity is its own level, and each facility has its name', async t => {
  const levels = 'emergency alert critical error warning notice info debug'.split(' ')
  t.same(
    levels.map((_, severity) => read(`<${8 + severity}>m`).level),
    levels,
  )
  t.equal(read('<0>m').attributes.facility, 'kern')
  t.equal(read('<191>m').attributes.facility, 'local7')
  for (const none of ['m', '<>m', '<192>m', '<-1>m', '<007>m', '<1000>m', '<1', '<a>m', '< 3>m']) {
    t.match(read(none), { level: 'notice', message: none, attributes: { facility: 'user' } }, none)
  }
})

t.test('a time that cannot be read costs only the time', async t => {
  const before = unreadable
  const { timestamp, attributes, message } = read('<13>1 2026-02-30T00:00:00Z h a - - - m')
  t.match({ timestamp, message }, { timestamp: receivedAt, message: 'm' })
  t.equal(attributes.timestamp_error, '"2026-02-30T00:00:00Z" cannot be read as a time')
  t.equal(unreadable, before + 1)
  t.equal(read('<13>1 2016-12-31T23:59:60Z - - - - - m').timestamp, Date.UTC(2017, 0, 1) - 1)
  t.equal(read('<13>1 1969-12-31T23:59:59.5Z - - - - - m').timestamp, -500)
  t.equal(read('<13>1 2026-11-20T00:00:00.Z - - - - - m').timestamp, receivedAt)
})

t.test('RFC 3164 as programs write it', async t => {
  const at = (text: string) => new Date(2026, 10, 23, ...(text.split(':').map(Number) as [number]))
  const time = at('17:00:05').getTime()
  const reads = (text: string, expected: object) => t.match(read(`<13>${text}`), expected, text)
  reads('Nov 23 17:00:05 web app[12]: hi', {
    timestamp: time,
    message: 'hi',
    attributes: { hostname: 'web', appname: 'app', procid: '12' },
  })
  const noHost = read('<13>Nov 23 17:00:05 app: hi')
  t.same(noHost.attributes, { appname: 'app', facility: 'user' })
  reads('Nov 23 17:00:05 web no tag here', { message: 'no tag here', timestamp: time })
  reads('Nov 23 17:00:05.25 web %LINK-3-UP: x', { timestamp: time + 250, message: 'x' })
  reads('Nov 23 2019 17:00:05 h a: x', { timestamp: new Date(2019, 10, 23, 17, 0, 5).getTime() })
  reads('2026-11-23T17:00:05.123456+01:00 h systemd[1]: up', {
    timestamp: Date.UTC(2026, 10, 23, 16, 0, 5, 123),
    attributes: { appname: 'systemd', timestamp_ns: '1795449605123456000' },
  })
  reads('Nov 31 17:00:05 h a: x', { timestamp: receivedAt, message: 'Nov 31 17:00:05 h a: x' })
  reads('app[12]: no time', { message: 'no time', attributes: { appname: 'app', procid: '12' } })
  reads('error: no route', { message: 'error: no route', timestamp: receivedAt })
})

t.test('the year that is not said is the nearest', async t => {
  const year = (text: string, at: number) => new Date(read(`<13>${text} h a: x`, at).timestamp)
  const newYear = new Date(2027, 0, 1, 0, 0, 10).getTime()
  t.equal(year('Dec 31 23:59:59', newYear).getFullYear(), 2026)
  t.equal(year('Jan  1 00:00:20', newYear - 30_000).getFullYear(), 2027)
  t.equal(year('Feb 29 12:00:00', new Date(2029, 0, 5).getTime()).getFullYear(), 2028)
  t.equal(year('Jul  1 12:00:00', new Date(2026, 6, 1).getTime()).getFullYear(), 2026)
  t.equal(year('Jul  1 12:00:00', new Date(2027, 6, 1).getTime()).getFullYear(), 2027)
})

t.test('JSON behind the header is taken apart', async t => {
  const header = '<30>1 2026-11-23T18:00:00.000001Z h a - - - '
  for (const mark of ['', '@cee: ', '@cee:']) {
    const json = '{"level":"warn","msg":"x","hostname":"in","id":12345678901234567890}'
    t.match(read(header + mark + json), {
      timestamp: Date.UTC(2026, 10, 23, 18),
      level: 'warn',
      message: 'x',
      attributes: {
        ...{ hostname: 'in', 'outer.hostname': 'h', id: '12345678901234567890', severity: 'info' },
        ...{ appname: 'a', facility: 'daemon', timestamp_ns: '1795456800000001000' },
      },
    })
  }
  const unsaid = read(`${header}{"msg":"x"}`)
  t.equal(unsaid.level, 'info', 'the severity counts where the object says none')
  t.notOk('severity' in unsaid.attributes)
  for (const text of ['{not JSON}', '{"a":1} and more', '[1]', '@cee: x']) {
    t.equal(read(header + text).message, text)
  }
})

t.test('bytes that are not UTF-8 are read as Latin-1', async t => {
  t.equal(read(Buffer.from('<13>caf\xe9', 'latin1')).message, 'café')
  t.equal(read('<13>café').message, 'café')
})
