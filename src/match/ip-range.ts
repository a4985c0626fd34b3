/** Addresses of the internet in texts, as LogQL's `ip("192.168.4.5/16")` asks for them. */

/** Both ends are in it; as many hexadecimal digits as their kind of address has: 8 or 32. */
export interface IpRange {
  readonly least: string
  readonly greatest: string
}

/** An address, two with a `-` between them, or one with `/` and how many of its bits count. */
export function readIpRange(text: string): IpRange | undefined {
  const [, first = '', bits, last] = /^([^/-]+)(?:\/(\d{1,3})|\s*-\s*([^/-]+))?$/.exec(text) ?? []
  const least = digitsOf(first.trim())
  if (least === undefined) return undefined
  if (last !== undefined) {
    const greatest = digitsOf(last.trim())
    const fits = greatest?.length === least.length && least <= greatest
    return fits ? { least, greatest: greatest! } : undefined
  }
  if (bits === undefined) return { least, greatest: least }
  const free = least.length * 4 - Number(bits)
  if (free < 0) return undefined
  const below = (1n << BigInt(free)) - 1n
  const value = BigInt(`0x${least}`)
  const written = (end: bigint) => end.toString(16).padStart(least.length, '0')
  return { least: written(value & ~below), greatest: written(value | below) }
}

/** How an address of version 4 begins, and one of version 6. */
const beginning = /[0-9](?=.{3})(?:\.|.\.|..\.)|(?:::(?=[0-9a-fA-F])|[0-9a-fA-F]{1,4}:)(?=.)/gs
const ofVersion4 = /[0-9.]+/y
const ofVersion6 = /[0-9a-fA-F:.]+/y

/** Whether one of the addresses in a text is of the range. */
export function hasAddressIn({ least, greatest }: IpRange, text: string): boolean {
  beginning.lastIndex = 0
  for (let found = beginning.exec(text); found !== null; found = beginning.exec(text)) {
    const form = found[0].includes('.') ? ofVersion4 : ofVersion6
    form.lastIndex = found.index
    const written = form.exec(text)?.[0] ?? ''
    const digits = digitsOf(written)
    const isWithin = digits?.length === least.length && least <= digits && digits <= greatest
    if (isWithin) return true
    beginning.lastIndex = Math.max(found.index + 1, form.lastIndex)
  }
  return false
}

/** An address as hexadecimal digits without signs; undefined for what is none. */
function digitsOf(text: string): string | undefined {
  return text.includes(':') ? digitsOfVersion6(text) : digitsOfVersion4(text)
}

function digitsOfVersion4(text: string): string | undefined {
  if (!/^(?:(?:0|[1-9][0-9]{0,2})(?:\.|$)){4}$/.test(text) || text.endsWith('.')) return undefined
  const numbers = text.split('.').map(Number)
  if (numbers.some(number => number > 255)) return undefined
  return numbers.map(number => number.toString(16).padStart(2, '0')).join('')
}

/** Its last 32 bits may be written as an address of version 4. */
function digitsOfVersion6(text: string): string | undefined {
  const at = text.lastIndexOf(':') + 1
  const inner = text.slice(at)
  const last = inner.includes('.') ? digitsOfVersion4(inner) : undefined
  if (inner.includes('.') && last === undefined) return undefined
  const whole =
    last === undefined ? text : `${text.slice(0, at)}${last.slice(0, 4)}:${last.slice(4)}`
  const halves = whole.split('::')
  if (halves.length > 2) return undefined
  const groups = halves.map(half => (half === '' ? [] : half.split(':')))
  if (groups.flat().some(group => !/^[0-9a-fA-F]{1,4}$/.test(group))) return undefined
  const missing = 8 - groups.flat().length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const [front, back = []] = groups
  const all = [...front!, ...new Array<string>(missing).fill('0'), ...back]
  return all.map(group => group.padStart(4, '0').toLowerCase()).join('')
}
