/**
 * Expressions under names, so that none is written, or computed, twice. An expression that has others in it
 * by their names is a column of a SELECT around theirs: names within one SELECT would be replaced by what
 * they stand for, each time, and a few stages be a million expressions.
 */
import { Bound } from '../bound.ts'

/**
 * Of statements with them: what is in several branches would be computed in each of them, for its rows,
 * and branches are within each other; without this it is once, for all.
 */
export const computedOnce = { short_circuit_function_evaluation: 'disable' } as const

/** More would take the engine longer to read than to run. */
const definitionsMax = 128
const layersMax = 40

interface Definition {
  readonly name: string
  /** How many others are within each other in it. */
  readonly depth: number
}

export class Definitions {
  /** Values of all of them. */
  readonly bound = new Bound('s')
  readonly #definitions = new Map<string, Definition>()
  readonly #depths = new Map<string, number>()
  #isHopeless = false

  /** The name of an expression, which may have names of others in it. */
  define(sql: string): string {
    if (/^[A-Za-z0-9]+$/.test(sql)) return sql
    const known = this.#definitions.get(sql)
    if (known !== undefined) return known.name
    const name = `s${this.#definitions.size}n`
    const depths = sql.match(/\bs[0-9]+n\b/g)?.map(other => this.#depths.get(other)! + 1) ?? [0]
    const depth = Math.max(...depths)
    this.#definitions.set(sql, { name, depth })
    this.#depths.set(name, depth)
    return name
  }

  /** Of most records nobody knows what is asked: it is not worth asking. */
  giveUp(): void {
    this.#isHopeless = true
  }

  get isHopeless(): boolean {
    const isTooLarge = this.#definitions.size > definitionsMax || this.layers.length > layersMax
    return this.#isHopeless || isTooLarge
  }

  /** Columns of SELECTs within each other, the innermost first. */
  get layers(): readonly (readonly string[])[] {
    const layers = Map.groupBy(this.#definitions, ([, { depth }]) => depth)
    return [...layers]
      .sort(([a], [b]) => a - b)
      .map(([, layer]) => layer.map(([sql, { name }]) => `${sql} AS ${name}`))
  }
}
