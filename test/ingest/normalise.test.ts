import t from 'tap'
import { parseEvent } from '../../src/ingest/json.ts'
import { normalise } from '../../src/ingest/normalise.ts'
import type { LogRecord } from '../../src/record.ts'

const receivedAt = 1_700_000_000_000

const record = (text: string, timestampField?: string): LogRecord =>
  normalise(parseEvent(Buffer.from(text)), { receivedAt, timestampField })

t.test('one event becomes one record', async t => {
  const text =
    '{"level":"WARN","message":"disk almost full","disk":{"path":"/var","used":0.93},"ok":false}'
  t.strictSame(record(text), {
    timestamp: receivedAt,
    level: 'warn',
    message: 'disk almost full',
    attributes: ['disk.path', '/var', 'disk.used', '0.93', 'ok', 'false'],
  })
})

t.test('the message is message, else msg, else the entire payload', async t => {
  const gives = (text: string, message: string, ...attributes: string[]) => {
    const { message: actual, attributes: rest } = record(text)
    t.strictSame({ message: actual, attributes: rest }, { message, attributes }, text)
  }

  gives('{"message":"a","msg":"b"}', 'a', 'msg', 'b')
  gives('{"msg":"b"}', 'b')
  gives('{"message":"","msg":"b"}', '', 'msg', 'b')
  gives('{"message":null,"msg":"b"}', 'b', 'payload.message', 'null')
  gives('{"message":false,"msg":"b"}', 'false', 'msg', 'b')
  gives('{"message":0}', '0')
  gives('{"message":{"a":[1, 2]}}', '{"a":[1,2]}')
  gives('{"message":[]}', '[]')
  gives('{"msg":{"a":"x"}}', '{"a":"x"}')
  gives('{ "a" : 1 , "b" : { "c" : "x" } }', '{"a":1,"b":{"c":"x"}}', 'a', '1', 'b.c', 'x')
  gives('{"msg":null}', '{"msg":null}', 'msg', 'null')
  gives('{"message":null}', '{"message":null}', 'payload.message', 'null')
  gives('{}', '{}')
  gives('{"a":{"message":"x"}}', '{"a":{"message":"x"}}', 'a.message', 'x')
})

t.test('without message and msg, what other senders call it is the message', async t => {
  const gives = (text: string, message: string, ...attributes: string[]) => {
    const { message: actual, attributes: rest } = record(text)
    t.strictSame({ message: actual, attributes: rest }, { message, attributes }, text)
  }

  const names = ['Message', 'MESSAGE', '@m', 'event', 'log', 'short_message', 'body', 'text']
  for (const [index, name] of names.entries()) {
    gives(`{"a":1,"${name}":"m"}`, 'm', 'a', '1')
    const later = names.slice(index).reverse()
    const text = `{${later.map(key => `"${key}":"of ${key}"`).join()}}`
    gives(text, `of ${name}`, ...later.slice(0, -1).flatMap(key => [key, `of ${key}`]))
    gives(`{"${name}":"m","msg":"b"}`, 'b', name, 'm')
    gives(`{"${name}":null}`, `{"${name}":null}`, name, 'null')
  }
  gives('{"Message":{"a":1}}', '{"a":1}')
  gives('{"@m":0,"log":"x"}', '0', 'log', 'x')
  for (const name of ['event', 'log', 'short_message', 'body', 'text']) {
    gives(`{"${name}":{"a":1}}`, `{"${name}":{"a":1}}`, `${name}.a`, '1')
    gives(`{"${name}":7}`, `{"${name}":7}`, name, '7')
  }
  gives('{"log":{"level":"warn"},"text":"x"}', 'x')
  gives('{"Msg":"m","Text":"m"}', '{"Msg":"m","Text":"m"}', 'Msg', 'm', 'Text', 'm')
})

t.test("the whole payload has the sender's order of names, whatever the names", async t => {
  const comesBack = (text: string) => t.equal(record(text).message, text)

  comesBack('{"b":1,"1":2}')
  comesBack('{"b":1,"1":2,"a":{"z":{},"0":[{"y":1,"10":"x","9":null}]}}')
  comesBack('{"10":1,"9":9007199254740993,"__proto__":{"x":1,"0":2}}')
  comesBack('[{"b":1,"1":[[{"c":1e400,"2":0}]]}]')
  t.equal(record('{ "b" : 1 ,\n "\\u0031" : "\\u00e9,:{}\\"" }').message, '{"b":1,"1":"é,:{}\\""}')
  t.equal(record('{"b":1,"1":2,"b":3}').message, '{"b":3,"1":2}')
  t.equal(record('{"message":{"b":1.0,"1":2}}').message, '{"b":1,"1":2}')
  t.strictSame(record('{"msg":"m","b":1,"1":[{"c":1,"2":0}]}').attributes, [
    ...['b', '1'],
    ...['1', '[{"c":1,"2":0}]'],
  ])
})

t.test('a payload that is no object is its own message, without attributes', async t => {
  const gives = (text: string, message: string) =>
    t.strictSame(
      record(text),
      { timestamp: receivedAt, level: 'info', message, attributes: [] },
      text,
    )

  gives('"plain text"', 'plain text')
  gives('""', '')
  gives('[1, {"level": "error"}]', '[1,{"level":"error"}]')
  gives('[]', '[]')
  gives('42', '42')
  gives('9007199254740993', '9007199254740993')
  gives('true', 'true')
  gives('null', 'null')
})

t.test('a level that was used is not repeated, one that was not is kept', async t => {
  const gives = (text: string, level: string, ...attributes: string[]) => {
    const { level: actual, attributes: rest } = record(text)
    t.strictSame({ level: actual, attributes: rest }, { level, attributes }, text)
  }

  gives('{"message":"x","level":"Error"}', 'error')
  gives('{"message":"x","level":50,"severity":"info"}', 'error', 'severity', 'info')
  gives('{"message":"x","level":"gold","severity":"err"}', 'err', 'level', 'gold')
  gives('{"message":"x","level":7}', 'info', 'level', '7')
  gives('{"message":"x","level":"SEVERE"}', 'error', 'level', 'SEVERE')
  gives('{"message":"x","@l":"Warning","severity":"gold"}', 'warning', 'severity', 'gold')
  gives('{"message":"x","PRIORITY":"3"}', 'error', 'PRIORITY', '3')
  gives('{"message":"x","log":{"level":"WARN","logger":"a"}}', 'warn', 'log.logger', 'a')
  gives('{"message":"x","status":"error"}', 'error', 'status', 'error')
  gives('{"message":"x","error":"boom"}', 'error', 'error', 'boom')
  gives('{"message":"x","log_level":"error"}', 'info', 'payload.log_level', 'error')
})

t.test('the timestamp comes from the field that the sender names', async t => {
  const gives = (text: string, field: string, timestamp: number, ...attributes: string[]) => {
    const { timestamp: actual, attributes: rest } = record(text, field)
    t.strictSame({ timestamp: actual, attributes: rest }, { timestamp, attributes }, text)
  }

  gives('{"msg":"x","time":1686026893}', 'time', 1686026893000)
  gives('{"msg":"x","time":"2023-06-06T04:48:13Z","a":1}', 'time', 1686026893000, 'a', '1')
  gives('{"msg":"x","ts":1686026893735000000}', 'ts', 1686026893735)
  gives('{"msg":"x","m":{"t":5,"u":6}}', 'm.t', 5000, 'm.u', '6')
  gives('{"msg":"x","m":{"n":{"t":5}}}', 'm.n.t', 5000)
  gives('{"msg":"x","m.t":1,"m":{"t":2}}', 'm.t', 1000, 'm.t', '2')
  gives('{"msg":"x","m.n":{"t":5}}', 'm.n.t', 5000)
  gives('{"msg":"x","m":{"n.t":5},"m.n":{"x":0}}', 'm.n.t', 5000, 'm.n.x', '0')
  gives('{"msg":"x","":7}', '', 7000)
  gives('{"msg":"x","__proto__":7}', '__proto__', 7000)
})

t.test('an event without the timestamp field has the time of receipt', async t => {
  const gives = (text: string, field: string, ...attributes: string[]) => {
    const { timestamp, attributes: rest } = record(text, field)
    t.strictSame({ timestamp, rest }, { timestamp: receivedAt, rest: attributes }, text)
  }

  gives('{"msg":"x"}', 'time')
  gives('{"msg":"x","time":null}', 'time', 'time', 'null')
  gives('{"msg":"x","m":1}', 'm.t', 'm', '1')
  gives('{"msg":"x"}', 'toString')
  gives('{"msg":"x"}', 'constructor.name')
  gives('[1]', '0')
  gives('"text"', 'length')
})

t.test('a time that cannot be read costs the time, not the event', async t => {
  const gives = (text: string, field: string, ...attributes: string[]) => {
    let unreadable = 0
    const onUnreadableTime = () => {
      unreadable++
    }
    const payload = parseEvent(Buffer.from(text))
    const made = normalise(payload, { receivedAt, timestampField: field, onUnreadableTime })
    const error = `the field "${field}" cannot be read as a time`
    t.equal(made.timestamp, receivedAt, text)
    t.strictSame(made.attributes, [...attributes, 'timestamp_error', error], text)
    t.equal(unreadable, 1, 'and is counted')
  }

  gives('{"msg":"x","time":"yesterday"}', 'time', 'time', 'yesterday')
  gives('{"msg":"x","time":{}}', 'time', 'time', '{}')
  gives('{"msg":"x","time":false}', 'time', 'time', 'false')
  gives('{"msg":"x","m":{"t":""}}', 'm.t', 'm.t', '')
  gives(
    '{"msg":"x","time":"no","timestamp_error":"mine"}',
    'time',
    ...['time', 'no', 'payload.timestamp_error', 'mine'],
  )
  t.strictSame(record('{"msg":"x","timestamp_error":"mine"}', 'time').attributes, [
    ...['timestamp_error', 'mine'],
  ])
})

t.test('a time finer than a millisecond is kept in nanoseconds', async t => {
  const gives = (text: string, ...attributes: string[]) =>
    t.strictSame(record(text, 'time').attributes, attributes, text)

  gives(
    '{"msg":"x","time":"2026-11-20T13:55:36.123456789Z","a":1}',
    'a',
    '1',
    'timestamp_ns',
    '1795182936123456789',
  )
  gives('{"msg":"x","time":1795182936123456789}', 'timestamp_ns', '1795182936123456789')
  gives('{"msg":"x","time":"2026-11-20T13:55:36.123Z"}')
  gives(
    '{"timestamp_ns":"mine","msg":"x","time":1795182936.0000005}',
    ...['payload.timestamp_ns', 'mine', 'timestamp_ns', '1795182936000000500'],
  )
})
