/**
 * All that is kept of alerts, changed one change after the other: each is one transaction of the catalog,
 * in which what happened stands beside what it led to. Nobody is told of a change that is not on disk.
 */
import type { Shelf } from '../catalog/shelf.ts'
import { ProblemError } from '../problems.ts'
import { InTurn } from '../threads/in-turn.ts'
import type { Notice } from './deliver/notice.ts'
import { type NewNotice, Notices } from './deliver/notices.ts'
import type { Alert, Change } from './evaluate.ts'
import { History, type NewEntry } from './history.ts'
import { jsonNumber } from './message.ts'
import type { Receiver, ReceiverConfig } from './receivers/receiver.ts'
import { Receivers } from './receivers/receivers.ts'
import { isSameSubject, type Rule, type StoredRule } from './rule.ts'
import { Rules } from './rules.ts'
import { labelsOf } from './shown-state.ts'
import { Silences, type StoredSilence } from './silences.ts'
import { isSameStand, type RuleState, States } from './states.ts'
import { toldOf } from './telling.ts'

/** What became of an attempt, or of the last one. */
export interface Outcome {
  readonly attempts: number
  /** Why the receiver will never be told; absent: it was. */
  readonly failure?: string
}

/** What a change of the catalog has besides what it is about. */
interface Consequences {
  readonly entries?: readonly NewEntry[]
  readonly notices?: readonly NewNotice[]
}

export class Ledger {
  readonly rules: Pick<Rules, 'list' | 'find' | 'get'>
  readonly states: Pick<States, 'get' | 'saveProgress'>
  readonly history: Pick<History, 'list'>
  readonly receivers: Pick<Receivers, 'list' | 'find' | 'get'>
  readonly silences: Pick<Silences, 'list' | 'isSilenced'>
  readonly notices: Pick<Notices, 'list'>
  readonly #rules: Rules
  readonly #states: States
  readonly #history: History
  readonly #receivers: Receivers
  readonly #silences: Silences
  readonly #notices: Notices
  readonly #shelf: Shelf
  readonly #now: () => number
  readonly #inTurn = new InTurn()

  constructor(shelf: Shelf, now: () => number) {
    this.#shelf = shelf
    this.#now = now
    this.rules = this.#rules = new Rules(shelf)
    this.states = this.#states = new States(shelf)
    this.history = this.#history = new History(shelf)
    this.receivers = this.#receivers = new Receivers(shelf)
    this.silences = this.#silences = new Silences(shelf, now)
    this.notices = this.#notices = new Notices(shelf, now)
  }

  /**
   * Makes a rule, or replaces the one of its id. Its alerts go on when it is about the same as before,
   * and end when it is not. Throws `alert_rules_too_many`, `catalog_failed`, `field_invalid` for a
   * receiver that there is not.
   */
  saveRule(id: string | undefined, read: Rule): Promise<StoredRule> {
    return this.#inTurn.run(async () => {
      const unknown = read.receivers.find(one => this.#receivers.find(one) === undefined)
      if (unknown !== undefined) {
        const detail = `"receivers" must be ids of receivers, was ${unknown}`
        throw new ProblemError('field_invalid', detail, { field: 'receivers' })
      }
      const rule = this.#rules.prepare(id, read, this.#now())
      const before = this.#rules.find(rule.id)
      const goesOn = before !== undefined && rule.enabled && isSameSubject(before, rule)
      const state = goesOn ? this.#states.get(rule.id) : undefined
      const ends = goesOn ? {} : this.#ends(before ?? rule)
      await this.#write(ends, () => {
        this.#rules.put(rule)
        this.#states.put(rule.id, state)
      })
      this.#rules.note(rule.id, rule)
      this.#states.note(rule.id, state)
      return rule
    })
  }

  /** Deletes for good; what fires is resolved. Throws `alert_rule_unknown`, `catalog_failed`. */
  deleteRule(id: string): Promise<void> {
    return this.#inTurn.run(async () => {
      await this.#write(this.#ends(this.#rules.get(id)), () => {
        this.#rules.remove(id)
        this.#states.put(id, undefined)
      })
      this.#rules.note(id, undefined)
      this.#states.note(id, undefined)
    })
  }

  /**
   * Takes what an evaluation came to, unless the rule is not the same any more: then that is about what
   * is no more. Throws `catalog_failed`, and nothing has changed.
   */
  evaluated(rule: StoredRule, found: RuleState, changes: readonly Change[]): Promise<void> {
    return this.#inTurn.run(async () => {
      if (this.#rules.find(rule.id) !== rule) return
      const before = this.#states.get(rule.id)
      const { alerts, ...consequences } = this.#told(rule, found.alerts, changes)
      const state = { ...found, alerts }
      if (!isSameStand(before.alerts, alerts) || changes.length > 0) {
        await this.#write(consequences, () => this.#states.put(rule.id, state))
      }
      this.#states.note(rule.id, state)
    })
  }

  /** Notes that an evaluation failed: only for those who look. */
  failed(rule: StoredRule, state: RuleState): void {
    if (this.#rules.find(rule.id) === rule) this.#states.note(rule.id, state)
  }

  /**
   * Makes a receiver, or replaces the one of its id. Throws `alert_receivers_too_many`,
   * `catalog_failed`.
   */
  saveReceiver(id: string | undefined, name: string, config: ReceiverConfig): Promise<Receiver> {
    return this.#inTurn.run(async () => {
      const receiver = this.#receivers.prepare(id, name, config, this.#now())
      await this.#write({}, () => this.#receivers.put(receiver))
      this.#receivers.note(receiver.id, receiver)
      return receiver
    })
  }

  /**
   * Deletes a receiver for good: rules do not name it any more, and what waits for it is not sent. Throws
   * `alert_receiver_unknown`, `catalog_failed`.
   */
  deleteReceiver(id: string): Promise<void> {
    return this.#inTurn.run(async () => {
      this.#receivers.get(id)
      const rules = this.#rules
        .list()
        .filter(({ receivers }) => receivers.includes(id))
        .map(rule => ({ ...rule, receivers: rule.receivers.filter(one => one !== id) }))
      const notices = [...this.#notices.list()]
        .filter(({ waiting }) => waiting.includes(id))
        .map(notice => [notice.id, this.#notices.without(notice, id)] as const)
      await this.#write({}, () => {
        this.#receivers.remove(id)
        for (const rule of rules) this.#rules.put(rule)
        for (const [noticeId, rest] of notices) this.#notices.put(noticeId, rest)
      })
      this.#receivers.note(id, undefined)
      for (const rule of rules) this.#rules.note(rule.id, rule)
      for (const [noticeId, rest] of notices) this.#notices.note(noticeId, rest)
    })
  }

  /** Makes a silence. Throws as `Silences.prepare`, `catalog_failed`. */
  saveSilence(request: unknown, by: string): Promise<StoredSilence> {
    return this.#inTurn.run(async () => {
      const silence = this.#silences.prepare(request, by)
      const notices = [
        { content: { kind: 'silence', silence }, receivers: this.#alertmanagers() },
      ] as const
      await this.#write({ notices }, () => this.#silences.put(silence))
      this.#silences.note(silence.id, silence)
      return silence
    })
  }

  /** Ends a silence before its time. Throws `alert_silence_unknown`, `catalog_failed`. */
  endSilence(id: string): Promise<void> {
    return this.#inTurn.run(async () => {
      const silence = this.#silences.get(id)
      const content = { kind: 'silence-end', silence } as const
      const notices = [{ content, receivers: this.#alertmanagers() }]
      await this.#write({ notices }, () => this.#silences.remove(id))
      this.#silences.note(id, undefined)
    })
  }

  /** Notes that a receiver has a notice, or will never have it. Throws `catalog_failed`. */
  delivered(noticeId: string, receiver: Receiver, outcome: Outcome): Promise<void> {
    return this.#inTurn.run(async () => {
      const notice = this.#notices.get(noticeId)
      if (notice === undefined) return
      const rest = this.#notices.without(notice, receiver.id)
      const entries = [deliveryEntry(notice, receiver.name, this.#now(), outcome)]
      await this.#write({ entries }, () => this.#notices.put(noticeId, rest))
      this.#notices.note(noticeId, rest)
    })
  }

  /** Writes a change with what it leads to, all or nothing. */
  async #write({ entries = [], notices = [] }: Consequences, change: () => void): Promise<void> {
    const added = this.#notices.prepare(notices)
    const dropped = this.#notices.withoutRoom(added.length)
    const givenUp = dropped.flatMap(notice => this.#givenUp(notice))
    let noted = () => {}
    await this.#shelf.write(() => {
      change()
      for (const { id } of dropped) this.#notices.put(id, undefined)
      for (const notice of added) this.#notices.put(notice.id, notice)
      noted = this.#history.put([...entries, ...givenUp])
    })
    noted()
    for (const { id } of dropped) this.#notices.note(id, undefined)
    for (const notice of added) this.#notices.note(notice.id, notice)
  }

  #givenUp(notice: Notice): NewEntry[] {
    const failure = 'too many notices wait for receivers'
    return notice.waiting.map(id => {
      const name = this.#receivers.find(id)?.name ?? id
      return deliveryEntry(notice, name, this.#now(), { attempts: 0, failure })
    })
  }

  /** What becomes of a rule's alerts when it is no more. */
  #ends(rule: StoredRule): Consequences {
    const at = this.#now()
    const hasFired = ({ state }: Alert) => state === 'firing'
    const firing = this.#states.get(rule.id).alerts.filter(hasFired)
    return this.#told(
      rule,
      [],
      firing.map(alert => ({ kind: 'resolved', at, alert })),
    )
  }

  /** The alerts after changes, and who is told what of these. */
  #told(rule: StoredRule, alerts: readonly Alert[], changes: readonly Change[]) {
    const known = rule.receivers.flatMap(id => this.#receivers.find(id) ?? [])
    const isAlertmanager = ({ kind }: Receiver) => kind === 'alertmanager'
    const { alerts: told, notices } = toldOf(
      rule,
      { alerts, changes },
      {
        people: known.filter(one => !isAlertmanager(one)).map(({ id }) => id),
        alertmanagers: known.filter(isAlertmanager).map(({ id }) => id),
        isSilenced: labels => this.#silences.isSilenced(labels),
      },
    )
    return { alerts: told, notices, entries: changes.map(change => changeEntry(rule, change)) }
  }

  #alertmanagers(): string[] {
    return this.#receivers.list().flatMap(({ id, kind }) => (kind === 'alertmanager' ? [id] : []))
  }
}

function changeEntry(rule: StoredRule, { kind, at, alert }: Change): NewEntry {
  return {
    at,
    kind,
    ruleId: rule.id,
    ruleName: rule.name,
    labels: labelsOf(rule, alert),
    value: jsonNumber(alert.value),
  }
}

function deliveryEntry(
  { content }: Notice,
  receiver: string,
  at: number,
  { attempts, failure }: Outcome,
): NewEntry {
  const isOfAlerts = content.kind === 'alerts'
  const [only, ...others] = isOfAlerts ? content.alerts : []
  return {
    at,
    kind: failure === undefined ? 'delivered' : 'undelivered',
    ruleId: isOfAlerts ? content.rule.id : '',
    ruleName: isOfAlerts ? content.rule.name : '',
    labels: only !== undefined && others.length === 0 ? only.labels : {},
    value: jsonNumber(only?.value),
    receiver,
    attempts,
    ...(failure !== undefined && { error: failure }),
  }
}
