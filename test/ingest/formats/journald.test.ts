/** Entries of the Journal Export Format: what they become, and how a stream of them is cut. */
import t from 'tap'
import { formats } from '../../../src/ingest/formats/formats.ts'
import { EntryCutter } from '../../../src/ingest/formats/journald/entry-cutter.ts'
import type { LogRecord } from '../../../src/record.ts'
import { binaryField, entryOf } from './journal-entries.ts'

const receivedAt = 1_795_200_000_000
const context = { receivedAt, timestampField: undefined, eventBytesMax: 1_000 }

function outcomes(body: string | Buffer, parse?: 'json') {
  return [...formats.journald.read(Buffer.from(body), { ...context, parse }, undefined)]
}

function recordOf(body: string | Buffer, parse?: 'json'): LogRecord {
  return outcomes(body, parse)[0]!.record!
}

const attributesOf = ({ attributes }: LogRecord) =>
  Object.fromEntries(
    attributes.flatMap((name, i) => (i % 2 === 0 ? [[name, attributes[i + 1]]] : [])),
  )

t.test(
  'message, time and level are those of the journal, all else is kept by its name',
  async t => {
    const record = recordOf(`__CURSOR=s=1;i=2
__REALTIME_TIMESTAMP=1795182936123456
__MONOTONIC_TIMESTAMP=12
_BOOT_ID=0123456789abcdef0123456789abcdef
PRIORITY=4
SYSLOG_IDENTIFIER=cron
_SYSTEMD_UNIT=cron.service
_HOSTNAME=web-1
_PID=77
MESSAGE=a=b, größer

`)
    t.equal(record.timestamp, 1_795_182_936_123)
    t.equal(record.level, 'warning')
    t.equal(record.message, 'a=b, größer')
    t.same(attributesOf(record), {
      __MONOTONIC_TIMESTAMP: '12',
      _BOOT_ID: '0123456789abcdef0123456789abcdef',
      PRIORITY: '4',
      SYSLOG_IDENTIFIER: 'cron',
      _SYSTEMD_UNIT: 'cron.service',
      _HOSTNAME: 'web-1',
      _PID: '77',
      timestamp_ns: '1795182936123456000',
    })
  },
)

t.test('binary values, several values, and what an entry may lack', async t => {
  const lines = binaryField('MESSAGE', 'two\nlines\n\n')
  const bytes = binaryField('DUMP', Buffer.from([0, 0xff, 0x0a]))
  const record = recordOf(Buffer.concat([lines, bytes, Buffer.from('A=1\nA=2\nE=\nA=3\n\n')]))
  t.equal(record.message, 'two\nlines\n\n')
  t.equal(record.timestamp, receivedAt)
  t.equal(record.level, 'info')
  t.same(attributesOf(record), { DUMP: 'AP8K', A: '["1","2","3"]', E: '' })

  t.equal(
    recordOf(binaryField('MESSAGE', Buffer.from([0x67, 0xfc, 0x6e]))).message,
    'gün',
    'Latin-1',
  )
  t.same(recordOf('PRIORITY=2\nCODE_FILE=a.c\n\n'), {
    timestamp: receivedAt,
    level: 'critical',
    message: '{"PRIORITY":"2","CODE_FILE":"a.c"}',
    attributes: ['PRIORITY', '2', 'CODE_FILE', 'a.c'],
  })
  const odd = recordOf('__REALTIME_TIMESTAMP=soon\nPRIORITY=9\nMESSAGE=m')
  t.match(attributesOf(odd), {
    ...{ __REALTIME_TIMESTAMP: 'soon', PRIORITY: '9', timestamp_error: /__REALTIME_TIMESTAMP/ },
  })
  const hostile = recordOf('__proto__=x\nconstructor=y\nMESSAGE=m\n\n')
  t.same(hostile.attributes, ['__proto__', 'x', 'constructor', 'y'])
})

t.test('a message of JSON is taken apart when its token says so', async t => {
  const record = recordOf(
    'PRIORITY=6\n_PID=1\nMESSAGE={"level":"error","msg":"m","_PID":2}\n\n',
    'json',
  )
  t.match(record, { level: 'error', message: 'm' })
  t.match(attributesOf(record), { _PID: '2', 'outer._PID': '1', PRIORITY: '6' })
})

t.test('an entry that cannot be read costs no other', async t => {
  const many = Array.from({ length: 1_001 }, (_, i) => `F${i}=`).join('\n')
  const found = formats.journald.read(
    Buffer.from(`MESSAGE=a\n\n\n\nMESSAGE=${'x'.repeat(9_000)}\n\n${many}\n\nMESSAGE=b\n\n`),
    { ...context, eventBytesMax: 8_000 },
    undefined,
  )
  t.match(
    [...found].map(({ record, problem }) => record?.message ?? problem?.code),
    ['a', 'body_too_large', 'attributes_too_many', 'b'],
  )
  const torn = Buffer.concat([entryOf('a'), binaryField('MESSAGE', 'cut').subarray(0, -3)])
  t.match(
    outcomes(torn).map(({ problem }) => problem?.code),
    [undefined, 'journal_invalid'],
  )
  t.match(
    outcomes('MESSAGE=a\n\nno field\nMESSAGE=b\n\n').map(({ problem }) => problem?.message),
    [undefined, 'expected the name of a field before a line break'],
  )
  t.throws(() => outcomes('\n\n'), { code: 'body_empty' })
  t.throws(() => outcomes('nothing'), { code: 'events_unreadable' })
})

t.test('in whatever pieces entries come, whole ones are handed on', async t => {
  const whole = Buffer.concat([
    entryOf('a', binaryField('B', '\n\nMESSAGE=none\n\n')),
    Buffer.from('\n'),
    entryOf('x'.repeat(60)),
    entryOf('b'),
  ])
  for (let size = 1; size <= whole.length; size++) {
    const cutter = new EntryCutter(1_000)
    const pieces: Buffer[] = []
    for (let at = 0; at < whole.length; at += size) {
      const entries = cutter.push(Buffer.from(whole.subarray(at, at + size)))
      if (entries === undefined) continue
      t.equal(entries.subarray(-2).toString(), '\n\n')
      pieces.push(entries)
    }
    t.equal(cutter.end(), undefined)
    t.equal(cutter.heldBytes, 0)
    t.ok(Buffer.concat(pieces).equals(whole), `pieces of ${size}`)
  }
})

t.test('an entry beyond the limit is left out as it comes, and holds no memory', async t => {
  const cutter = new EntryCutter(5_000)
  const feed = (bytes: Buffer) => {
    const found: string[] = []
    for (let at = 0; at < bytes.length; at += 700) {
      found.push(cutter.push(Buffer.from(bytes.subarray(at, at + 700)))?.toString() ?? '')
      t.ok(cutter.heldBytes <= 10_000)
    }
    return found.join('')
  }
  const large = entryOf('y'.repeat(50_000))
  const found = feed(Buffer.concat([entryOf('a'), large, large, entryOf('b')]))
  t.equal(found, `${entryOf('a')}${entryOf('b')}`)
  t.equal(cutter.tooLargeCount, 2)
})

t.test('what stands before something that is no entry is handed on first', async t => {
  const broken = [
    Buffer.from('no name\n'),
    Buffer.from('x'.repeat(300)),
    Buffer.concat([Buffer.from('B\n'), Buffer.alloc(8, 0xff)]),
    Buffer.concat([binaryField('B', 'v').subarray(0, -1), Buffer.from('x')]),
  ]
  for (const bytes of broken) {
    const cutter = new EntryCutter(1_000)
    const entries = cutter.push(Buffer.concat([entryOf('a'), bytes]))
    t.equal(entries?.toString(), entryOf('a').toString())
    t.match(cutter.failure, { code: 'journal_invalid' })
  }
})

t.test('the last entry may lack its empty line, and no more', async t => {
  const ends = [
    ['MESSAGE=a\n', 'MESSAGE=a\n'],
    ['MESSAGE=a', 'MESSAGE=a'],
    ['', undefined],
    ['\n', undefined],
  ] as const
  for (const [bytes, rest] of ends) {
    const cutter = new EntryCutter(1_000)
    cutter.push(Buffer.from(bytes))
    t.equal(cutter.end()?.toString(), rest)
  }
  for (const bytes of ['MESS', 'MESSAGE\n', 'MESSAGE\n\x01\0\0\0\0\0\0\0', 'M\n\0\0\0\0\0\0\0\0']) {
    const cutter = new EntryCutter(1_000)
    cutter.push(Buffer.from(bytes))
    t.throws(() => cutter.end(), { code: 'journal_invalid' })
  }
})
