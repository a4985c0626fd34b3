/**
 * The structured data of RFC 5424 (6.3): `[id name="value" …][id …]`. In values `"`, `\` and `]` have a
 * backslash before them; one before anything else is only itself (6.3.3).
 */

import { matchAt } from '../../../match/match-at.ts'

/** By `id.name`; by the id alone, for an element without any. A name that repeats has all values. */
export type SyslogData = Readonly<Record<string, string | readonly string[] | EmptyElement>>

type EmptyElement = Readonly<Record<string, never>>

export interface FoundData {
  readonly data: SyslogData
  /** Behind the last bracket. */
  readonly end: number
}

/** Sticky: nothing is looked for further on. Names are any visible ASCII but `=`, `]` and `"`. */
const elementStart = /\[([^\s=\]"]+)/y
const parameter = / +([^\s=\]"]+)="((?:[^"\\\]]|\\.)*)"/sy
const elementEnd = / *\]/y
const escaped = /\\(["\\\]])/g
const newData = (): Record<string, string | string[] | EmptyElement> => Object.create(null)

/** The data at `start` of `text`, where a bracket is; undefined when it is not whole. */
export function readStructuredData(text: string, start: number): FoundData | undefined {
  const data = newData()
  let at = start
  while (text.charCodeAt(at) === 0x5b) {
    const id = matchAt(elementStart, text, at)
    if (id === null) return undefined
    at = elementStart.lastIndex
    let count = 0
    for (let found = matchAt(parameter, text, at); found !== null; count++) {
      at = parameter.lastIndex
      const [, name, value] = found
      add(data, `${id[1]}.${name}`, withoutEscapes(value!))
      found = matchAt(parameter, text, at)
    }
    if (count === 0) data[id[1]!] = {}
    if (matchAt(elementEnd, text, at) === null) return undefined
    at = elementEnd.lastIndex
  }
  return { data, end: at }
}

function withoutEscapes(value: string): string {
  return value.includes('\\') ? value.replace(escaped, '$1') : value
}

function add(data: ReturnType<typeof newData>, name: string, value: string): void {
  const before = data[name]
  if (typeof before === 'string') data[name] = [before, value]
  else if (Array.isArray(before)) before.push(value)
  else data[name] = value
}
