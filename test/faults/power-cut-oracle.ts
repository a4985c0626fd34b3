/**
 * What was sent and what was acknowledged, kept outside of the store, and the comparison of it with what
 * the store finds.
 */
import type { Matcher, Selector } from '../../src/language/ast.ts'
import type { LogRecord, Stream } from '../../src/record.ts'
import type { LocalStore } from '../../src/store/local-store.ts'
import type { AnswerRecord } from '../../src/store/store.ts'

export interface SentRecord {
  /** Its place in the order in which records were sent. */
  readonly id: number
  readonly record: LogRecord
  readonly stream: Stream
  /** It may be stored by a later try than the first: others that were sent meanwhile stand before it. */
  readonly mayComeLater: boolean
  isAcknowledged: boolean
  /** Retention had deleted it, and nothing was left to do. */
  isDeleted: boolean
}

const everything = { startTime: -8.64e15, endTime: 8.64e15, order: 'asc' } as const
const neverAborted = new AbortController().signal

export class PowerCutOracle {
  readonly #sent: SentRecord[] = []
  /** Records of an earlier time may have been deleted. */
  readonly #mayBeDeletedBefore: () => number

  constructor(mayBeDeletedBefore: () => number) {
    this.#mayBeDeletedBefore = mayBeDeletedBefore
  }

  get acknowledgedCount(): number {
    return this.#sent.filter(({ isAcknowledged }) => isAcknowledged).length
  }

  /**
   * Notes a record that is about to be sent. `make` gives it its content; the id is its message. `mayComeLater`:
   * it is sent again until it is acknowledged.
   */
  send(
    make: (id: number) => { record: LogRecord; stream: Stream },
    mayComeLater = false,
  ): SentRecord {
    const id = this.#sent.length
    const sent = { id, ...make(id), mayComeLater, isAcknowledged: false, isDeleted: false }
    this.#sent.push(sent)
    return sent
  }

  /**
   * Everything that is wrong with what the store finds. `settled`: it has nothing left to do; otherwise
   * retention may be at work, and only what one query says is compared.
   */
  async violations(store: LocalStore, state: 'settled' | 'working'): Promise<string[]> {
    const isSettled = state === 'settled'
    const mayBeDeletedBefore = this.#mayBeDeletedBefore()
    const required = this.#sent.filter(sent => sent.isAcknowledged)
    const violations: string[] = []
    const found = await listing(store, isSettled ? 50 : 1_000, violations)
    const foundIds = new Set<number>()
    let before: SentRecord | undefined
    for (const answer of found) {
      const sent = this.#sent[Number(answer.message.split(' ')[0])]
      if (sent === undefined || !isSame(answer, sent)) {
        const text = JSON.stringify(answer.message.slice(0, 20))
        violations.push(`${text} differs from what was sent, or never was`)
        continue
      }
      if (foundIds.has(sent.id)) violations.push(`${sent.id} is there twice`)
      if (sent.isDeleted) violations.push(`${sent.id} was deleted and came back`)
      if (before !== undefined && !isBefore(before, sent)) {
        violations.push(`${before.id} stands before ${sent.id}`)
      }
      foundIds.add(sent.id)
      before = sent
    }
    for (const sent of required) {
      if (foundIds.has(sent.id)) continue
      if (sent.record.timestamp >= mayBeDeletedBefore) violations.push(`${sent.id} is lost`)
      else if (isSettled) sent.isDeleted = true
    }
    if (isSettled) await countsDiffer(store, found, violations)
    return violations
  }
}

/** All records, page by page. */
async function listing(
  store: LocalStore,
  pageRecords: number,
  violations: string[],
): Promise<AnswerRecord[]> {
  const found: AnswerRecord[] = []
  let cursor: string | undefined
  do {
    const request = { ...everything, selector: selectorOf([]), limit: pageRecords, cursor }
    const answer = await store.select(request, neverAborted)
    found.push(...answer.records)
    cursor = answer.nextCursor
    if (cursor === undefined && answer.count !== found.length) {
      violations.push(`count is ${answer.count}, pages gave ${found.length}`)
    }
    const { damagedBlocks, damagedFrames } = answer.stats
    if (damagedBlocks + damagedFrames > 0) violations.push('a query met damage')
  } while (cursor !== undefined)
  return found
}

/** Texts to look for: of many messages, of one, a part of a word, and one that is nowhere. */
function textsIn(found: readonly AnswerRecord[]): string[] {
  const last = found.at(-1)?.message.slice(-6) ?? ''
  return [' paid ', 'pened', last, 'nowhere']
}

/**
 * Counts by service, mostly answered by the index alone, and of texts, many by skip indexes, are those of the
 * listing.
 */
async function countsDiffer(
  store: LocalStore,
  found: readonly AnswerRecord[],
  violations: string[],
): Promise<void> {
  const byService = Map.groupBy(found, record => record.attributes['service.name']!)
  for (const [service, { length }] of byService) {
    const selector = selectorOf([{ label: 'service.name', operator: '=', value: service }])
    const request = { ...everything, selector, limit: 1, cursor: undefined }
    const { count } = await store.select(request, neverAborted)
    if (count !== length) violations.push(`${service} counts ${count}, listed ${length}`)
  }
  for (const text of textsIn(found)) {
    const selector: Selector = { ...selectorOf([]), filters: [{ operator: '|=', text }] }
    const request = { ...everything, selector, limit: 0, cursor: undefined }
    const { count } = await store.select(request, neverAborted)
    const { length } = found.filter(({ message }) => message.includes(text))
    if (count !== length) violations.push(`${text} counts ${count}, listed ${length}`)
  }
}

function isSame(answer: AnswerRecord, { record, stream }: SentRecord): boolean {
  const expected: Record<string, string> = {
    'service.name': stream.service,
    environment: stream.environment,
  }
  for (let i = 0; i < record.attributes.length; i += 2) {
    expected[record.attributes[i]!] = record.attributes[i + 1]!
  }
  const names = Object.keys(expected)
  return (
    answer.timestamp === record.timestamp &&
    answer.log_level === record.level &&
    answer.message === record.message &&
    Object.keys(answer.attributes).length === names.length &&
    names.every(name => answer.attributes[name] === expected[name])
  )
}

function selectorOf(matchers: readonly Matcher[]): Selector {
  return { kind: 'selector', matchers, filters: [] }
}

/** By time, then by arrival; ids count up as records arrive. */
function isBefore(a: SentRecord, b: SentRecord): boolean {
  const [first, second] = [a.record.timestamp, b.record.timestamp]
  if (first !== second) return first < second
  return a.id < b.id || a.mayComeLater || b.mayComeLater
}
