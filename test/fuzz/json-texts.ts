/** JSON as it should be and as it should not: all that makes readers of JSON stumble. */
import type { Random } from '../../bench/random.ts'

const names = [
  ...['message', 'msg', 'level', 'severity', 'error', 'time', 'a', 'b', 'a.b', '', ' '],
  ...['__proto__', 'constructor', 'toString', 'toJSON', 'then', 'service.name', 'environment'],
  ...['größe', '日本', '\\u0000', '\\ud83d\\ude00', 'x'.repeat(300)],
  ...['1', '0', '10', '\\u0031', 'log', 'log.level', 'LogLevel', 'PRIORITY', 'log_level'],
]
const texts = [
  ...['', 'ok', 'ERROR', 'warn', '2026-11-20T10:00:00Z', '\\n\\t', '\\u00e9', '😀', '<b>', '\\"'],
  ...['1795194549071', 'x'.repeat(1_000), '\\ud83d\\ude00', '\u2028', '%s'],
]
const numbers = [
  ...['0', '-0', '1', '-1', '30', '1e3', '1.0', '1e400', '-1e400', '1e-400', '0.1'],
  ...['9007199254740993', '123456789012345678901234567890', '1795194549071', '8640000000000001'],
]

/** What mutations put into JSON. */
export const jsonWords = [
  ...['{', '}', '[', ']', ',', ':', '"', '\\', '\\u', '\\ud800', '\\udc00', 'null', 'true', '-'],
  ...['1e', '0x1', 'NaN', '\ufeff', '\0', '\xff', '\xc3', '\xed\xa0\x80', '\n', '\r\n', ' '],
  ...['"__proto__":', '{"a":', '[['.repeat(40), '{"a":'.repeat(40), ']'.repeat(70), '/*', "'"],
]

/** The text of a value, nested a few levels as a rule. */
export function jsonText(random: Random, depth = 0): string {
  const kind = random.below(depth > 5 ? 6 : 10)
  if (kind < 2) return `"${random.pick(texts)}"`
  if (kind < 4) return random.pick(numbers)
  if (kind < 6) return random.pick(['null', 'true', 'false', '""'])
  const length = random.skewedBelow(6)
  const space = random.below(4) === 0 ? random.pick([' ', '\n', '\r\n  ', '\t']) : ''
  if (kind < 7) {
    const elements = Array.from({ length }, () => jsonText(random, depth + 1))
    return `[${elements.join(`,${space}`)}]`
  }
  return objectText(random, length, space, depth)
}

/** The text of an object, as most events are. */
export function eventText(random: Random): string {
  return objectText(random, random.skewedBelow(12), '', 0)
}

/** The text of an object with fields, and in an order, as senders use them; now and then an odd one. */
export function usualEventText(random: Random): string {
  const space = random.below(4) === 0 ? ' ' : ''
  const fields = usualNames
    .filter(() => random.below(5) > 2)
    .map(
      name => `"${name}":${space}${random.below(40) === 0 ? jsonText(random) : usualValue(random)}`,
    )
  if (random.below(10) === 0) fields.reverse()
  return `{${fields.join(`,${space}`)}}`
}

const usualNames = [
  ...['time', 'level', 'severity', 'message', 'msg', 'host', 'error', 'a', 'b', 'a.b', 'http'],
  ...['service.name', 'größe', 'status', 'tags', 'log', 'log.level', 'Level', 'PRIORITY', '@m'],
  ...['body', 'environment', 'err', 'warn', '7', '1', 'timestamp_ns'],
]
const usualTexts = [
  ...texts.filter(text => !text.includes('ud83d')),
  'info',
  'INFO',
  'fatal',
  'a b',
  ...['Information', 'SEVERE', 'WARN+2', '3', '35', 'error'],
  ...['2026-11-20T10:00:00.123456789Z', '2026-11-20T10:00:00.1230001Z', '1795194549.0715'],
  ...['20/Nov/2026:13:55:36 +0000', '1969-12-31T23:59:59.9999999Z', '1795194549071000001'],
  ...['{\\"level\\":\\"warn\\",\\"1\\":{\\"a\\":0}}\\n', ' {\\"a\\":1} '],
]
const usualNumbers = [
  ...['0', '0', '3', '30', '200', '-7', '0.0000000000000000', '1.5', '0.25'],
  ...['1795194549071', '9007199254740993', '1795194549071234567', '1795194549.0715', '-0.0001'],
]

function usualValue(random: Random, depth = 0): string {
  const kind = random.below(depth > 2 ? 6 : 8)
  if (kind < 4) return `"${random.pick(usualTexts)}"`
  if (kind < 5) return random.pick(usualNumbers)
  if (kind < 6) return random.pick(['true', 'false', 'null', '{}', '[]', '["x",1]'])
  const names = usualNames.filter(() => random.below(6) === 0)
  return `{${names.map(name => `"${name}":${usualValue(random, depth + 1)}`).join()}}`
}

function objectText(random: Random, length: number, space: string, depth: number): string {
  const fields = Array.from(
    { length },
    () => `"${random.pick(names)}":${space}${jsonText(random, depth + 1)}`,
  )
  return `{${space}${fields.join(',')}}`
}
