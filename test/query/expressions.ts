/** Random regular expressions that RE2 and JavaScript read alike, and texts to try them on. */

import fc from 'fast-check'

const atoms = ['a', 'b', '0', 'A', 'é', '.', '[ab]', '[^a]', '[0-9_]', '\\d', '\\w', '\\W', '\\n']
const assertions = ['^', '$', '\\b', '\\B', '(?:)']
const repetitions = [
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '{0}',
  '{2}',
  '{1,}',
  '{0,2}',
  '{2,3}',
  '{1,3}?',
]

/** Both engines get it with the same flags: `(?im)…` here, `new RegExp(…, 'uim')` there. */
export const arbitraryExpression: fc.Arbitrary<string> = fc.letrec<{ any: string }>(tie => ({
  any: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { weight: 4, arbitrary: fc.constantFrom(...atoms) },
    { weight: 1, arbitrary: fc.constantFrom(...assertions) },
    { weight: 3, arbitrary: fc.tuple(tie('any'), tie('any')).map(([a, b]) => a + b) },
    { weight: 2, arbitrary: fc.tuple(tie('any'), tie('any')).map(([a, b]) => `(?:${a}|${b})`) },
    { weight: 1, arbitrary: tie('any').map(inner => `(${inner})`) },
    {
      weight: 3,
      arbitrary: fc
        .tuple(tie('any'), fc.constantFrom(...repetitions))
        .map(([inner, repetition]) => `(?:${inner})${repetition}`),
    },
  ),
})).any

export const arbitraryFlags: fc.Arbitrary<string> = fc
  .subarray(['i', 'm', 's'])
  .map(flags => flags.join(''))

export const arbitraryTexts: fc.Arbitrary<string[]> = fc.array(
  fc.string({ unit: fc.constantFrom('a', 'b', '0', 'A', '\n', '_', ' ', 'é', 'É'), maxLength: 8 }),
  { minLength: 1, maxLength: 8 },
)
