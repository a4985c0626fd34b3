/** Addresses of the internet in texts, as `match/ip-range.ts` finds them: most of version 4 are told. */
import { readIpRange } from '../../../../match/ip-range.ts'
import type { Definitions } from './definitions.ts'

const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const version4 = `\\\\A(?:${byte}[.]){3}${byte}\\\\z`
/** What is tried as an address of version 4. */
const tried = '[0-9]{1,3}[.][0-9.]*'
/** One that may be a part of what is tried as one of version 6. */
const insideOther = '[0-9a-fA-F:]:[0-9a-fA-F:.]*[0-9][.][0-9]'
/** Without this there is none of version 6. */
const version6 = '::|(?:[0-9a-fA-F]{1,4}:){6}'

/** Whether a text has one of some addresses; unknown where that is not told. `text`: in SQL. */
export function hasAddress(text: string, addresses: string, defined: Definitions): string {
  const range = readIpRange(addresses)
  if (range === undefined) throw new TypeError(`no addresses: ${addresses}`)
  const { least, greatest } = range
  if (least.length > 8) {
    return defined.define(`if(isNull(${text}) OR match(${text}, '${version6}'), NULL, 0)`)
  }
  const isWithin = `IPv4StringToNumOrDefault(one) BETWEEN ${Number(`0x${least}`)} AND ${Number(`0x${greatest}`)}`
  const isAnyWithin = `arrayExists(one -> match(one, '${version4}') AND ${isWithin},
    extractAll(ifNull(${text}, ''), '${tried}'))`
  return defined.define(
    `multiIf(isNull(${text}), NULL, match(${text}, '${insideOther}'), NULL, ${isAnyWithin})`,
  )
}
