/** Colours, for people at a terminal who have not asked for none (https://no-color.org). */
import { styleText } from 'node:util'
import { type LevelKind, levelKind } from '../levels.ts'
import type { Terminal } from './terminal.ts'

type Style = Parameters<typeof styleText>[0]

/** Returns the text in a style, or as it is where there are no colours. The text must be printable. */
export type Paint = (style: Style, text: string) => string

/** For what goes to `stream`. */
export function paintFor({ environment }: Terminal, stream: { readonly isTTY?: boolean }): Paint {
  const { NO_COLOR, TERM } = environment
  const isColoured = stream.isTTY === true && !NO_COLOR && TERM !== 'dumb'
  // Whether to colour is decided here, once, and not by what Node finds in its own environment.
  return (style, text) => (isColoured ? styleText(style, text, { validateStream: false }) : text)
}

const levelStyles: Readonly<Record<LevelKind, Style>> = {
  fatal: ['red', 'bold'],
  error: 'red',
  warn: 'yellow',
  info: 'green',
  debug: 'blue',
}

/** How a level stands out; levels that nobody knows do not. */
export function levelStyle(level: string): Style {
  const kind = levelKind(level)
  if (kind === undefined) return 'reset'
  return level === 'trace' ? 'gray' : levelStyles[kind]
}
