/** Values of a statement, each bound under a name: no text of a query's is ever a part of a statement. */
import type { QueryParams } from '../connection.ts'

type BoundType = 'String' | 'Array(String)' | 'Float64' | 'UInt64'

export class Bound {
  readonly #prefix: string
  readonly #values: Record<string, string | number | readonly string[]> = {}
  readonly #names = new Map<string, string>()
  #count = 0

  /** Several of different prefixes may be of one statement. */
  constructor(prefix: string) {
    this.#prefix = prefix
  }

  /** For the client, as they are. */
  get params(): QueryParams {
    return this.#values
  }

  text(value: string): string {
    return this.#add('String', value)
  }

  texts(values: readonly string[]): string {
    return this.#add('Array(String)', values)
  }

  /** Finite. */
  number(value: number): string {
    return this.#add('Float64', value)
  }

  /** Below 2^64. */
  whole(value: bigint): string {
    return this.#add('UInt64', String(value))
  }

  /** Equal values share a name. */
  #add(type: BoundType, value: string | number | readonly string[]): string {
    const key = `${type} ${JSON.stringify(value)}`
    let name = this.#names.get(key)
    if (name === undefined) {
      name = `${this.#prefix}${this.#count++}`
      this.#names.set(key, name)
      this.#values[name] = value
    }
    return `{${name}:${type}}`
  }
}
