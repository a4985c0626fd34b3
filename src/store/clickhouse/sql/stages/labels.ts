/** The labels that are asked for behind stages. */

import { changesLabel } from '../../../../language/label-changes.ts'
import { logqlName } from '../../../../language/logql-names.ts'
import { errorDetailsLabel, errorLabel } from '../../../../query/stages/row.ts'
import { leftOutOf } from '../../../../query/stages/staged-columns.ts'
import { messageLabel, patternLabel } from '../../../../record.ts'
import { likeLine, ownOrLike } from '../changed-kinds.ts'
import type { FieldOf } from '../facets.ts'
import { columnOf, hasAttribute, type LabelTexts } from '../label.ts'
import { isTold, patternText } from '../pattern-id.ts'
import type { Definitions } from './definitions.ts'
import { labelSetText } from './label-sets.ts'
import { keepKnownLines, type Staged } from './staged.ts'
import { errorText, isErrorKey, isOfAllRecords, type StagedRecord } from './staged-record.ts'
import { allOf, anyOf, choose, unknown, whereKnown } from './unknown.ts'

export class StagedLabels {
  readonly #staged: Staged
  readonly #record: StagedRecord
  readonly #defined: Definitions
  readonly #needed = new Set<string>()

  constructor(staged: Staged, defined: Definitions) {
    this.#staged = staged
    this.#record = staged.record
    this.#defined = defined
  }

  readonly texts: LabelTexts = (label, bound) => {
    if (label === patternLabel) return this.#asked(this.#kindText())
    const column = label === messageLabel ? undefined : columnOf(label)
    if (column === undefined) return this.attributes(label, bound)
    return this.#isChanged(label) ? this.attributes(logqlName(label), bound) : column
  }

  /** Of attributes, whatever their names: as stages have left them. */
  readonly attributes: LabelTexts = label => this.#asked(this.#textOf(label))

  /** Of which kind the line is. */
  askForKind(): void {
    this.askFor(this.#kind())
  }

  /** The line, and a text of the same kind, where stages make lines others. */
  get changedLine(): { readonly line: string; readonly like: string } | undefined {
    if (this.#keepsLines) return undefined
    return { line: this.#asked(this.#record.line), like: this.#asked(this.#kind()) }
  }

  /** Of which kind the message is that it came with. */
  askForOwnKind(): void {
    this.askFor(this.#defined.define(`if(${isTold}, 1, NULL)`))
  }

  /** As facets and values have them: what all records have is as it came, but for lines. */
  readonly fields: FieldOf = (name, bound) => {
    const column = name === messageLabel ? undefined : columnOf(name)
    if (column !== undefined) return { text: column, isThere: '1' }
    const text = this.texts(name, bound)
    if (name === messageLabel || name === patternLabel) return { text, isThere: '1' }
    const isThere = this.#isShown(name)
    this.askFor(isThere)
    return { text, isThere }
  }

  /** What is NULL where something else that is asked is unknown. */
  askFor(expression: string): void {
    this.#needed.add(expression)
  }

  /** All that were asked for. */
  get areKnown(): string {
    return [...this.#needed].map(text => `isNotNull(${text})`).join(' AND ') || '1'
  }

  /** Any of them. */
  get areUnknown(): string {
    return `(${[...this.#needed].map(text => `isNull(${text})`).join(' OR ') || '0'})`
  }

  #asked(text: string): string {
    this.askFor(text)
    return `assumeNotNull(${text})`
  }

  get #keepsLines(): boolean {
    return keepKnownLines(this.#staged.steps.map(({ stage }) => stage))
  }

  /** The id of the line's pattern, of a line that is as it came; else a text of the same kind. */
  #kind(): string {
    const { line } = this.#record
    if (!this.#keepsLines) return likeLine(line, this.#defined)
    const kind = whereKnown([line], `if(${isTold} AND ${line} = Body, ${patternText}, NULL)`)
    return this.#defined.define(kind)
  }

  /** A label of that name, if it is not empty; else the kind of the line, of which `readKinds` reads some. */
  #kindText(): string {
    const own = this.#textOf(patternLabel)
    if (!this.#keepsLines) return this.#defined.define(ownOrLike(own, this.#kind()))
    return this.#defined.define(choose(`${own} != ''`, own, this.#kind()))
  }

  /** Whether there is a text, or an attribute of that very name, be it empty. */
  #isShown(name: string): string {
    const defined = this.#defined
    const hasText = `${this.#textOf(name)} != ''`
    if (isOfAllRecords(name) || isErrorKey(name)) return defined.define(hasText)
    const isOwn = hasAttribute(name, defined.bound)
    const isKept = this.#record.hasOwn(logqlName(name))
    return defined.define(anyOf([hasText, allOf([isOwn, isKept])]))
  }

  /** As `query/stages/staged-run.ts` has it: others are what the record came with. */
  #isChanged(label: string): boolean {
    return this.#staged.steps.some(({ stage }) => changesLabel(stage, logqlName(label)))
  }

  #textOf(label: string): string {
    if (label === messageLabel) return this.#record.line
    if (label === errorLabel || label === errorDetailsLabel) {
      return errorText(this.#record, label, this.#defined)
    }
    const leftOut = leftOutOf(label)
    if (leftOut !== undefined) return this.#setText(leftOut)
    return this.#defined.define(this.#record.shown(label))
  }

  /** Of all labels together, but for some. */
  #setText(leftOut: readonly string[]): string {
    const text = labelSetText(leftOut, this.#staged, this.#defined)
    if (text === undefined) this.#defined.giveUp()
    return text ?? unknown
  }
}
