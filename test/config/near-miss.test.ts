import t from 'tap'
import { nearMiss } from '../../src/config/near-miss.ts'

const words = ['--port', '--host', '--max-event-bytes', '--max-batch-bytes']

t.test('a slip of the fingers, or a beginning, finds the word that was meant', async t => {
  const finds = (text: string, expected: string) => t.equal(nearMiss(text, words), expected)

  finds('--prot', '--port')
  finds('--ports', '--port')
  finds('--max-batch', '--max-batch-bytes')
  finds('--max-event-byte', '--max-event-bytes')
})

t.test('what resembles nothing gets no suggestion', async t => {
  const findsNothing = (text: string) => t.equal(nearMiss(text, words), undefined)

  findsNothing('')
  findsNothing('--colour')
  findsNothing('x')
  findsNothing('-')
})
