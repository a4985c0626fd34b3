/** Of each service how many records, how many of them errors, and when the first and the last was logged. */

import type { RecordColumns } from '../../columns/record-columns.ts'
import { levelsOfKind } from '../../levels.ts'
import { limits } from '../../limits.ts'
import type { Timestamp } from '../../record.ts'
import type { Collector } from './collector.ts'

export interface ServicesRequest {
  readonly kind: 'services'
}

export interface ServiceSpan {
  readonly service: string
  readonly count: number
  /** Of these, records of a level that is an error's or worse. */
  readonly errors: number
  readonly firstAt: Timestamp
  readonly lastAt: Timestamp
}

const errorLevels: ReadonlySet<string> = new Set(levelsOfKind('error', 'fatal'))

export class Services implements Collector<ServiceSpan[]> {
  readonly request: ServicesRequest = { kind: 'services' }
  readonly #spans = new Map<string, ServiceSpan>()

  add(columns: RecordColumns, selected: Uint8Array): void {
    const { streams, streamCodes, levels, levelCodes } = columns
    const isError = levels.map(level => errorLevels.has(level))
    for (let row = selected.indexOf(1); row !== -1; row = selected.indexOf(1, row + 1)) {
      const { service } = streams[streamCodes[row]!]!
      const at = columns.timestamp(row)
      const errors = isError[levelCodes[row]!] ? 1 : 0
      this.#add({ service, count: 1, errors, firstAt: at, lastAt: at })
    }
  }

  #add(span: ServiceSpan): void {
    const { service } = span
    const known = this.#spans.get(service)
    this.#spans.set(service, known === undefined ? span : together(known, span))
  }

  get refusal(): string | undefined {
    if (this.#spans.size <= limits.queryGroupsMax) return undefined
    return `the records are of more than ${limits.queryGroupsMax} services`
  }

  toPlain(): ServiceSpan[] {
    return [...this.#spans.values()]
  }

  addPlain(spans: ServiceSpan[]): void {
    for (const span of spans) this.#add(span)
  }
}

function together(a: ServiceSpan, b: ServiceSpan): ServiceSpan {
  return {
    service: a.service,
    count: a.count + b.count,
    errors: a.errors + b.errors,
    firstAt: Math.min(a.firstAt, b.firstAt),
    lastAt: Math.max(a.lastAt, b.lastAt),
  }
}
