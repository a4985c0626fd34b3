/** Addresses of the page that show what a tool answered: to be opened by a person. */

import type { TimeRange } from '../../../record.ts'
import type { BrowserHeaders } from '../../access/own-page.ts'
import { isOverTls } from '../../access/own-page.ts'
import { pathTo } from '../../page-paths.ts'
import { shownRange } from './asked-range.ts'
import type { Budget } from './budget.ts'

/** Characters of an address that browsers and what people paste it into still take. */
const addressLengthMax = 4_000

/** An address as an answer has it, if it may take so much. */
export function linkTo(address: string | undefined, budget: Budget): string {
  const isShort = address !== undefined && address.length <= budget.bytes / 4
  if (isShort && budget.take(address)) return address
  return 'the address is too long for this answer'
}

export class PageLinks {
  readonly #origin: string

  /** `origin`: where people reach the page, without a slash behind it. */
  constructor(origin: string) {
    this.#origin = origin
  }

  /** Of the page that is where a request came. */
  static beside(
    headers: Pick<BrowserHeaders, 'host' | 'forwardedProto'>,
    isTls: boolean,
  ): PageLinks {
    return new PageLinks(`${isOverTls(headers, isTls) ? 'https' : 'http'}://${headers.host}`)
  }

  /** The records of a query; undefined when its address would be too long. */
  logs(query: string, range: TimeRange): string | undefined {
    const parameters = new URLSearchParams({ query, ...shownRange(range) })
    const address = `${this.#origin}${pathTo('logs')}?${parameters}`
    return address.length > addressLengthMax ? undefined : address
  }

  /** One record, among those of its minute. */
  record(id: string, time: number): string {
    const range = shownRange({ startTime: time - 30_000, endTime: time + 30_000 })
    const parameters = new URLSearchParams({ ...range, record: id })
    return `${this.#origin}${pathTo('logs')}?${parameters}`
  }

  dashboard(id: string): string {
    return `${this.#origin}${pathTo('dashboard', id)}`
  }
}
