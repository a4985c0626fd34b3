/** What records must have for any of them to come through stages: so fewer of them are fetched. */
import type { Stage } from '../../../language/stage.ts'
import type { Condition } from '../../../match/condition.ts'
import { literalChoices } from '../../../match/literals.ts'
import { type Need, needsOf } from '../../../query/stages/needs.ts'
import type { WantedConditions } from '../../../segment/skip/verdict.ts'
import type { Bound } from './bound.ts'
import { hasLiteralsOf } from './expression.ts'
import { alikeForm, attributeText } from './label.ts'
import { all, always, any, exactly, maybe, not, type Truth } from './truth.ts'
import { wordsOfAny } from './words.ts'

/** Holds for every record that comes through, and for others. */
export function mayComeThrough(stages: readonly Stage[], hasWords: boolean, bound: Bound): Truth {
  return all([...needsOf(stages).map(need => isMet(need, hasWords, bound)), maybe])
}

function isMet({ ofMessages, ofOwn }: Need, hasWords: boolean, bound: Bound): Truth {
  return any([
    ...ofMessages.map(wanted => messageMeets(wanted, hasWords, bound)),
    ...ofOwn.map(({ key, condition }) => ownMeets(key, condition, bound)),
  ])
}

function messageMeets(
  { messageConditions }: WantedConditions,
  hasWords: boolean,
  bound: Bound,
): Truth {
  return all([
    ...messageConditions.map(condition => meets('Body', condition, bound)),
    ...(hasWords ? messageConditions.map(condition => wordsOfCondition(condition, bound)) : []),
  ])
}

/** What follows of the words of a message that meets a condition. */
function wordsOfCondition({ test, isNegated }: Condition, bound: Bound): Truth {
  if (isNegated) return always
  const choices = test.kind === 'matches' ? literalChoices(test.pattern.source) : [[test.text]]
  return wordsOfAny(choices, bound)
}

/** An attribute that has the name in LogQL. */
function ownMeets(logqlName: string, condition: Condition, bound: Bound): Truth {
  const own = meets(attributeText(logqlName, bound), condition, bound)
  const form = alikeForm(logqlName)
  if (form === undefined) return own
  const { sql, isExact } = meets('text', condition, bound)
  const isAlike = `arrayExists((name, text) -> match(name, ${bound.text(form)}) AND ${sql},
    mapKeys(LogAttributes), mapValues(LogAttributes))`
  return any([own, { sql: isAlike, isExact }])
}

/** `text`: in SQL. */
function meets(text: string, { test, isNegated }: Condition, bound: Bound): Truth {
  const holds = passes(text, test, bound)
  return isNegated ? not(holds) : holds
}

function passes(text: string, test: Condition['test'], bound: Bound): Truth {
  switch (test.kind) {
    case 'equals':
      return exactly(`${text} = ${bound.text(test.text)}`)
    case 'contains':
      return exactly(`position(${text}, ${bound.text(test.text)}) > 0`)
    case 'matches':
      return hasLiteralsOf(text, test.pattern.source, bound)
  }
}
