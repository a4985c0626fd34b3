import t from 'tap'
import { patternCodes } from '../../../src/columns/patterns/column-patterns.ts'
import { tellPatterns } from '../../../src/columns/patterns/told-patterns.ts'
import { limits } from '../../../src/limits.ts'
import { columnOfBytes, encodeAnyway, reopenTemplate } from '../template/messages.ts'

const wordOf = (i: number) =>
  [...`${1_000_003 + i * 7_919}`].map(digit => 'ghijklmnop'[+digit]).join('')

t.test('of so many texts of a block kinds are told, and of one more they are not', async t => {
  const isTold = [limits.toldTemplatesMax, limits.toldTemplatesMax + 1].map(codeCount => {
    const count = codeCount - 1 // One is the template's own.
    const list = Array.from({ length: count }, (_, i) => `user ${wordOf(i)} came`)
    const message = reopenTemplate(encodeAnyway(columnOfBytes(list)), count)
    t.equal(patternCodes(message).codeCount, codeCount)
    const table = tellPatterns({
      message,
      levels: ['info'],
      levelCodes: new Uint8Array(count),
      timestamps: new Float64Array(count),
    })
    return table?.patterns.map(({ text }) => text)
  })
  t.same(isTold, [['user <*> came'], undefined])
})
