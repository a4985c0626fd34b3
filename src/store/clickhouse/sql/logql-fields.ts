/** Fields of records as they came under LogQL's names, of which each may be of several attributes. */
import { patternLabel } from '../../../record.ts'
import type { FieldOf } from './facets.ts'
import {
  alikeForm,
  alikeText,
  attributeText,
  columnOf,
  hasAttribute,
  ownOrPattern,
} from './label.ts'
import { Definitions } from './stages/definitions.ts'
import { isOfAllRecords } from './stages/staged-record.ts'
import { allOf, anyOf } from './stages/unknown.ts'
import type { Staging } from './told.ts'

export class LogqlFields {
  readonly #defined = new Definitions()
  readonly #sure: string[] = []

  readonly fields: FieldOf = (name, bound) => {
    const column = columnOf(name)
    if (column !== undefined) return { text: column, isThere: '1' }
    if (name === patternLabel) return { text: ownOrPattern(bound), isThere: '1' }
    const form = isOfAllRecords(name) ? undefined : alikeForm(name)
    if (form !== undefined) return this.#ownOrAlike(name, form)
    return { text: attributeText(name, bound), isThere: hasAttribute(name, bound) }
  }

  #ownOrAlike(name: string, form: string) {
    const { bound } = this.#defined
    const own = attributeText(name, bound)
    const isOwn = hasAttribute(name, bound)
    const alike = alikeText(name, bound)
    const other = this.#defined.define(`toString(${alike})`)
    const hasAny = `arrayExists(name -> match(name, ${bound.text(form)}), mapKeys(LogAttributes))`
    // An empty one of another name is read of the records: it counts where no others of that name are near.
    this.#sure.push(this.#defined.define(anyOf([isOwn, `${other} != ''`, `NOT ${hasAny}`])))
    return {
      text: this.#defined.define(`if(${isOwn}, ${own}, ${other})`),
      isThere: this.#defined.define(anyOf([isOwn, `${other} != ''`])),
    }
  }

  /** Undefined where all is told of all records. */
  get staging(): Staging | undefined {
    if (this.#sure.length === 0) return undefined
    const isKnown = allOf(this.#sure)
    const { layers, bound } = this.#defined
    return { layers, params: bound.params, isKnown, isUnknown: `NOT ${isKnown}` }
  }
}
