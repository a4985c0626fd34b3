/** Addresses of the internet in texts, found by ClickHouse as `match/ip-range.ts` finds them. */
import { readIpRange } from '../../../match/ip-range.ts'
import { literal } from './expression.ts'

const byte = '(?:25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])'
const version4 = `${byte}(?:[.]${byte}){3}`
/** What is tried as an address of version 4. A digit and a sign may stand before it, which are none. */
const triedAs4 = '(?:[0-9]:[0-9]|[0-9]{1,3})[.][0-9.]*'
const triedAs6 = '(?:::[0-9a-fA-F]|[0-9a-fA-F]{1,4}:)[0-9a-fA-F:.]*'
/**
 * What begins as an address of version 4 to ours, for a full stop is near, and as one of version 6, too: it
 * is neither, and not tried as the latter.
 */
const neither = '[0-9]{1,2}:[.]|[0-9][a-fA-F]:[.][0-9a-fA-F:.]*|[0-9]:[^0-9.][.]'

/** Which stand in a text, one after the other, in a group those of one version. */
const all4 = literal(`${neither}|(${triedAs4})|${triedAs6}`)
const all6 = literal(`${neither}|${triedAs4}|(${triedAs6})`)
/** Groups of hexadecimal digits, the last two as an address of version 4 or not; zeros may be left out. */
const group = '[0-9a-fA-F]{1,4}'
const last = `(?:${group}|${version4})`
const form6 = literal(
  `\\A(?:(?:${group}:)+${last}|(?:${group}(?::${group})*)?::(?:(?:${group}:)*${last})?)\\z`,
)
/** How many groups: ClickHouse reads addresses with more as well. */
const groups = `countMatches(one, '[0-9a-fA-F.]+') + (position(one, '.') > 0)`

/** Without these there is no address of either version. */
const stops = literal('[0-9][.][0-9]+[.][0-9]+[.][0-9]')
const colons = literal('::|(?:[0-9a-fA-F]+:){6}')

/** Whether a text has an address of a range, which can be read. `text`: in SQL, not NULL. */
export function hasAddress(text: string, addresses: string): string {
  const range = readIpRange(addresses)
  if (range === undefined) throw new TypeError(`no addresses: ${addresses}`)
  const { least, greatest } = range
  if (least.length > 8) {
    const isWithin = `lower(hex(IPv6StringToNumOrDefault(one))) BETWEEN '${least}' AND '${greatest}'`
    const isWhole = `if(position(one, '::') > 0, ${groups} < 8, ${groups} = 8)`
    const isWritten = `match(one, ${form6}) AND ${isWhole}`
    return anyOf(`${isWritten} AND ${isWithin}`, text, { without: colons, all: all6 })
  }
  const isWithin = `IPv4StringToNumOrDefault(extract(one, '[0-9.]+\\\\z'))
    BETWEEN ${Number(`0x${least}`)} AND ${Number(`0x${greatest}`)}`
  const isWritten = `match(one, ${literal(`\\A(?:[0-9]:)?${version4}\\z`)})`
  return anyOf(`${isWritten} AND ${isWithin}`, text, { without: stops, all: all4 })
}

/** Most lines have nothing like an address, and are not taken apart. */
function anyOf(condition: string, text: string, forms: { without: string; all: string }): string {
  const { without, all } = forms
  return `(match(${text}, ${without}) AND arrayExists(one -> ${condition}, extractAll(${text}, ${all})))`
}
