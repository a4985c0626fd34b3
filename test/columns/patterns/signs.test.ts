/** A rule is left out where a text has not its sign: it would not have changed that text. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { everyRule, hasSign } from '../../../src/columns/patterns/rules.ts'
import { anyCodePoint } from '../../any-code-point.ts'
import { forAll } from '../../for-all.ts'
import { longRuns } from '../../long-runs.ts'

/** What rules are about, and what they are near to. */
const parts = [
  ..."0 'a' `b` “c” ” \" \u001b[0m \u001b \t \n \u00a0".split(' '),
  ...[
    '0:ab:cd:0:0:ef',
    '0-ab-cd-0-0-ef',
    'fe0::0:abcd',
    '::0',
    ':0:',
    ':abcd:',
    'ab:0',
    '::',
    '-0-',
  ],
  ...[
    'http://a.b/c',
    '://',
    'a@b.com',
    '@',
    '/etc/passwd',
    '~/x',
    './a',
    'a/b/c/',
    '/',
    'C:\\x',
    ':\\',
  ],
  ...[
    'a=b',
    'a=',
    'msg=c',
    'key:value',
    'k:',
    ':v',
    '=',
    '=>',
    '"0"',
    "'0'",
    '{a}',
    '{}',
    'b=0',
    'k_0',
  ],
  ...['Mon, ', 'Tuesday 0', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun 0', 'Jan 0', 'Feb', 'March', 'Apr. 0'],
  ...[
    '0 May',
    'June',
    '0/Jul',
    'Aug',
    'September',
    'Oct-0',
    '0-Nov',
    'Dec 0',
    '0 AM',
    '0PM',
    '0 pm',
  ],
  ...[
    'x.com',
    'a.b.co.uk',
    '.org',
    '.',
    'user bob',
    'User ',
    'username x',
    'for bob from 0',
    ' from 0',
  ],
  ...[
    'by root(uid=',
    '(uid=',
    '-0',
    '+0',
    '0-0',
    '0, 0',
    '0-x',
    ', ',
    '; ',
    ',',
    'true',
    'null',
    '[true]',
    '{a},{a}',
    '"0"; "0"',
    'k_0 k_0',
    '[ ]',
  ],
]
const textOfParts = fc
  .array(
    fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...parts) }, fc.constantFrom(' ', '  ', 'w')),
    {
      maxLength: 7,
    },
  )
  .map(all => all.join(''))
const text = fc.oneof({ weight: 5, arbitrary: textOfParts }, fc.string({ unit: anyCodePoint }))

t.test('a text without the sign of a rule is not changed by it', async t => {
  const changing = new Set<unknown>()
  let leftOut = 0
  forAll(longRuns(5_000), text, text => {
    for (const rule of everyRule) {
      const isChanged = text.replace(rule[0], rule[1]) !== text
      if (isChanged) changing.add(rule)
      if (hasSign(rule, text)) continue
      leftOut++
      assert.ok(!isChanged, `${rule[0].source} of ${JSON.stringify(text)}`)
    }
  })
  const never = [...everyRule].filter(rule => !changing.has(rule)).map(([from]) => from.source)
  t.strictSame(never, [], 'every rule changes some')
  t.ok(leftOut > 10_000)
})
