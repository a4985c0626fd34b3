/** The numbers that one label of the records writes, each kept: for what is exact of them all. */

import type { RecordColumns } from '../../columns/record-columns.ts'
import type { UnwrapUnit } from '../../language/ast.ts'
import { noCell } from '../series/cells.ts'
import type { Run } from '../series/number-runs.ts'
import { type PlainSamples, QuantileAccumulator } from '../series/samples.ts'
import type { Collector } from './collector.ts'

export interface NumbersRequest {
  readonly kind: 'numbers'
  readonly label: string
  /** Absent for plain numbers; durations are in seconds. */
  readonly unit?: UnwrapUnit
}

/** The one cell that all records are in. */
const cell = noCell + 1
const cells = Uint32Array.of(noCell, cell)
const cellCount = cells.length
/** Of all numbers, not only of one quantile. */
const median = 0.5

export class Numbers implements Collector<PlainSamples> {
  readonly request: NumbersRequest
  readonly #samples: QuantileAccumulator

  constructor(request: NumbersRequest) {
    this.request = request
    const { label, unit } = request
    this.#samples = new QuantileAccumulator(
      { label, ...(unit !== undefined && { unwrapUnit: unit }) },
      median,
    )
  }

  get refusal(): string | undefined {
    return this.#samples.refusal
  }

  /** Undefined when no value is a number. */
  get run(): Run | undefined {
    return this.#samples.numbersAt(cell)
  }

  add(columns: RecordColumns, selected: Uint8Array): void {
    const values = this.#samples.read(columns, selected)
    this.#samples.add({ codes: new Uint32Array(selected), cells: [...cells] }, values, cellCount)
  }

  toPlain(): PlainSamples {
    return this.#samples.toPlain(cellCount)
  }

  memoryOf(plain: PlainSamples): ArrayBuffer[] {
    return this.#samples.memoryOf(plain)
  }

  addPlain(plain: PlainSamples): void {
    this.#samples.addPlain(cells, plain)
  }
}
