/**
 * What people read of an alert: a text with `{{value}}`, `{{labels.x}}` and the like. Nothing is
 * evaluated in it.
 */
import { limits } from '../limits.ts'
import { ProblemError } from '../problems.ts'

/** What the words of a message stand for. */
export interface MessageFacts {
  readonly name: string
  /** Absent when the alert is about there being none. */
  readonly value: number | undefined
  /** Alerts of the rule that fire at the moment. */
  readonly count: number
  readonly labels: Readonly<Record<string, string>>
  readonly query: string
  /** To the records, on the page. */
  readonly link: string
}

const words = ['name', 'value', 'count', 'query', 'link'] as const
const labelPrefix = 'labels.'

const isWord = (text: string): text is (typeof words)[number] =>
  (words as readonly string[]).includes(text)

/** @throws ProblemError `field_invalid` for a word that means nothing. */
export function checkMessage(message: string, field: string): void {
  for (const [written, word] of message.matchAll(placeholder)) {
    if (isWord(word!) || word!.startsWith(labelPrefix)) continue
    const known = [...words, `${labelPrefix}NAME`].map(one => `{{${one}}}`).join(', ')
    const detail = `"${field}" must have only ${known} in braces, was ${written.slice(0, 60)}`
    throw new ProblemError('field_invalid', detail, { field })
  }
}

const placeholder = /\{\{\s*([^{}]*?)\s*\}\}/g

/** The text for one alert, cut at a bound. A label that it does not have is empty. */
export function messageOf(message: string, facts: MessageFacts): string {
  let room: number = limits.alertTextLengthMax
  const take = (text: string) => {
    const taken = text.slice(0, Math.max(room, 0))
    room -= taken.length
    return taken
  }
  let text = ''
  let end = 0
  for (const { 0: written, 1: word, index } of message.matchAll(placeholder)) {
    text += take(message.slice(end, index)) + take(meaningOf(word!, facts))
    end = index + written.length
  }
  text += take(message.slice(end))
  return room > 0 ? text : `${text}…`
}

function meaningOf(word: string, facts: MessageFacts): string {
  if (!isWord(word)) return facts.labels[word.slice(labelPrefix.length)] ?? ''
  if (word === 'value') return facts.value === undefined ? 'no data' : shownNumber(facts.value)
  return String(facts[word])
}

/** As people write numbers: no more digits than tell anything. */
export function shownNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(6)))
}

/** JSON has no infinities and no NaN. */
export function jsonNumber(value: number | undefined): number | null {
  return value !== undefined && Number.isFinite(value) ? value : null
}
