/** Completion behind a pipe: names of stages, labels that there are by then, what may follow. */

import type { CaretWords } from './caret-words.ts'
import type { CompletionContext } from './completion-context.ts'
import { isLabel, matcherCompletion } from './condition-completion.ts'
import { recordsBefore } from './staged-records.ts'
import { endsCondition, type Token, takesLabels } from './tokens.ts'

export function stageCompletion(at: CaretWords): CompletionContext | undefined {
  const { words, current, previous } = at
  const pipe = words.findLastIndex(({ kind, text }) => kind === 'operator' && text === '|')
  const [opener, first] = words.slice(pipe)
  if (opener === undefined) return undefined
  if (current === opener) return at.context('filter', current)
  const records = recordsBefore(at, opener.start)
  if (first === undefined || first === current) {
    const isWord = first === undefined || ['label', 'stage', 'keyword'].includes(first.kind)
    if (!isWord) return undefined
    return { ...at.context('stage', first), ...records, isCondition: true, joints: ['not'] }
  }
  if (canEndStage(at, first)) {
    const isNew = first.kind !== 'stage' && current === undefined
    return { ...at.context('filter', current), ...(isNew && { isCondition: true, joints }) }
  }
  if (first.kind === 'stage') {
    if (!takesLabels.includes(first.text)) return undefined
    const opens = previous === first || previous?.kind === 'comma'
    const isTyped = isLabel(current) && opens
    const isNew = current === undefined && opens
    return isTyped || isNew ? { ...at.context('label', current), ...records } : undefined
  }
  const found = matcherCompletion(at, opensCondition)
  return found && { ...found, ...records, isCondition: true, ...jointsAt(at, found) }
}

/** What stands between conditions. */
const joints = ['and', 'or']

/** In the place of a label: in front of a condition, or behind one. */
function jointsAt(
  { current, previous }: CaretWords,
  { kind }: CompletionContext,
): Pick<CompletionContext, 'joints'> {
  if (kind !== 'label') return {}
  if (opensCondition(isLabel(current) ? previous : (current ?? previous))) {
    return { joints: ['not'] }
  }
  return isLabel(current) ? { joints } : {}
}

/** What is no stage by itself. */
const takesMore = ['pattern', 'regexp', 'line_format', 'label_format', ...takesLabels]

const isFilterOperator = /^(?:[|!]|\|=|\|~|!=|!~|\|>|!>)$/

/** Whether a new stage or a filter of lines may begin: behind what is whole, and not inside brackets. */
function canEndStage({ words, current, previous }: CaretWords, first: Token): boolean {
  if (
    current !== undefined &&
    !(current.kind === 'operator' && isFilterOperator.test(current.text))
  ) {
    return false
  }
  if (previous === undefined) return false
  if (previous === first && first.kind === 'stage') return !takesMore.includes(first.text)
  if (!endsCondition(previous)) return false
  if (first.kind === 'stage') return true
  const before = words.at(current === undefined ? -2 : -3)
  // A label is no condition yet, unless its quotes were forgotten.
  return previous.kind !== 'label' && before?.text !== '|'
}

/** What a label of a condition may follow. */
function opensCondition(token: Token | undefined): boolean {
  if (token === undefined) return false
  return token.kind === 'comma' || token.text === '(' || ['and', 'or', 'not'].includes(token.text)
}
