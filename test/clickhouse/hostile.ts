/** Texts that would change a statement which they became a part of. */
import fc from 'fast-check'
import { anyCodePoint } from '../any-code-point.ts'

const parts = [
  ...[
    "'",
    "''",
    "\\'",
    '\\',
    '\\\\',
    '"',
    '`',
    '%',
    '_',
    '?',
    ':',
    ';',
    '\n',
    '\r',
    '\t',
    '\0',
    ' ',
  ],
  ...[
    '{',
    '}',
    '{p0:String}',
    '{q0:Identifier}',
    '--',
    '#',
    '/*',
    '*/',
    '$$',
    '(',
    ')',
    ')]',
    ',',
    '=',
  ],
  ...[
    "'); DROP TABLE otel_logs; --",
    "' OR 1 = 1 OR '",
    ' UNION ALL SELECT ',
    'FORMAT Null',
    '\\x27',
  ],
  ...[
    '\u2019',
    '\uff07',
    '\u2028',
    '\ufffd',
    'é',
    '😀',
    'a',
    '0',
    '\\N',
    '&param_p0=',
    '%27',
    '\\u0027',
  ],
]

export const hostileText: fc.Arbitrary<string> = fc.oneof(
  fc.array(fc.constantFrom(...parts), { maxLength: 4 }).map(all => all.join('')),
  fc.string({ unit: anyCodePoint, maxLength: 6 }),
  fc.constantFrom(...parts).map(part => part.repeat(700)),
)
