/** Silences: of which alerts nobody is told, and until when. They go on firing. */
import { randomUUID } from 'node:crypto'
import { Type } from 'typebox'
import { nameSchema } from '../catalog/names.ts'
import type { Shelf } from '../catalog/shelf.ts'
import { limits } from '../limits.ts'
import { type Condition, conditionOfMatcher, holds } from '../match/condition.ts'
import { ProblemError } from '../problems.ts'
import { type Answer, timestamp } from '../schema/answer.ts'
import { checkBody } from '../schema/check.ts'

const { alertSilenceMatchersMax, alertLabelLengthMax, nameLengthMax } = limits

const matcherSchema = Type.Object({
  label: Type.String({ minLength: 1, maxLength: nameLengthMax }),
  operator: Type.Enum(['=', '!=', '=~', '!~']),
  value: Type.String({ maxLength: alertLabelLengthMax }),
})

export const silenceSchema = Type.Object({
  matchers: Type.Array(matcherSchema, {
    minItems: 1,
    maxItems: alertSilenceMatchersMax,
    description: `1 to ${alertSilenceMatchersMax} conditions on labels`,
  }),
  until: Type.Integer({ description: 'a time in whole milliseconds since 1970' }),
  comment: Type.Optional(
    Type.String({
      maxLength: alertLabelLengthMax,
      description: `a text of at most ${alertLabelLengthMax} characters`,
    }),
  ),
  by: Type.Optional(nameSchema('who made it')),
})

export type SilenceMatcher = Answer<typeof matcherSchema>

/** All matchers hold for an alert that is silenced. */
export const storedSilenceSchema = Type.Object(
  {
    id: Type.String(),
    matchers: Type.Array(
      Type.Object({
        label: Type.String(),
        operator: Type.Enum(['=', '!=', '=~', '!~']),
        value: Type.String(),
      }),
    ),
    until: timestamp,
    comment: Type.String(),
    by: Type.String({ description: 'Who made it.' }),
    createdAt: timestamp,
  },
  { $id: 'AlertSilence', description: 'Of which alerts nobody is told, and until when.' },
)

/** A value of the collection `alert-silences`, under its id. */
export type StoredSilence = Answer<typeof storedSilenceSchema>

interface LiveSilence {
  readonly silence: StoredSilence
  readonly conditions: readonly (readonly [label: string, condition: Condition])[]
}

export class Silences {
  readonly #collection
  readonly #now: () => number
  readonly #byId = new Map<string, LiveSilence>()

  constructor(shelf: Shelf, now: () => number) {
    this.#now = now
    this.#collection = shelf.collection<StoredSilence>('alert-silences')
    for (const { key, value } of this.#collection.getRange()) this.note(key, value)
  }

  /** Those that are not over, the next to end first. */
  list(): StoredSilence[] {
    const now = this.#now()
    const all = [...this.#byId.values()].map(({ silence }) => silence)
    return all.filter(({ until }) => until > now).sort((a, b) => a.until - b.until)
  }

  /** Throws ProblemError `alert_silence_unknown` also for one that is over. */
  get(id: string): StoredSilence {
    const silence = this.#byId.get(id)?.silence
    if (silence !== undefined && silence.until > this.#now()) return silence
    throw new ProblemError('alert_silence_unknown', 'no silence has this id')
  }

  /**
   * What a request describes. `by`: who made it, where the request does not say.
   * @throws ProblemError `field_invalid`, `query_regex`, `alert_silences_too_many`.
   */
  prepare(request: unknown, by: string): StoredSilence {
    const asked = checkBody(silenceSchema, request)
    const createdAt = this.#now()
    if (asked.until <= createdAt) {
      const detail = `"until" must be in the future, was ${asked.until}`
      throw new ProblemError('field_invalid', detail, { field: 'until' })
    }
    const isOfAll = asked.matchers.every(matcher => holds(conditionOfMatcher(matcher), ''))
    if (isOfAll) {
      const detail = '"matchers" must have one that does not hold of an empty value'
      throw new ProblemError('field_invalid', detail, { field: 'matchers' })
    }
    if (this.list().length >= limits.alertSilencesMax) {
      const detail = `there are ${limits.alertSilencesMax} silences; end one first`
      throw new ProblemError('alert_silences_too_many', detail)
    }
    return { comment: '', by, ...asked, id: randomUUID(), createdAt }
  }

  /** Part of a change of the catalog, as `remove`. Those that are over go with it. */
  put(silence: StoredSilence): void {
    for (const id of this.#over()) this.#collection.remove(id)
    this.#collection.put(silence.id, silence)
  }

  remove(id: string): void {
    this.#collection.remove(id)
  }

  /** After the change. */
  note(id: string, silence: StoredSilence | undefined): void {
    for (const over of this.#over()) this.#byId.delete(over)
    if (silence === undefined) this.#byId.delete(id)
    else {
      const conditions = silence.matchers.map(
        matcher => [matcher.label, conditionOfMatcher(matcher)] as const,
      )
      this.#byId.set(id, { silence, conditions })
    }
  }

  /** Whether nobody is told of an alert with these labels now. */
  isSilenced(labels: Readonly<Record<string, string>>): boolean {
    const now = this.#now()
    for (const { silence, conditions } of this.#byId.values()) {
      if (silence.until <= now) continue
      if (conditions.every(([label, condition]) => holds(condition, labels[label] ?? '')))
        return true
    }
    return false
  }

  #over(): string[] {
    const now = this.#now()
    return [...this.#byId].filter(([, { silence }]) => silence.until <= now).map(([id]) => id)
  }
}
