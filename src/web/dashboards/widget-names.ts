/** What widgets are called: by their title, or else by what they are. */

import type { Widget } from './model/board.ts'

const typeNames: Readonly<Record<string, string>> = {
  chart: 'Chart',
  stat: 'Single value',
  gauge: 'Gauge',
  log: 'Records',
  markdown: 'Note',
  group: 'Group',
  trace: 'Traces',
}

export function nameOfWidget({ title, type }: Pick<Widget, 'title' | 'type'>): string {
  return title || nameOfType(type)
}

export function nameOfType(type: string): string {
  return Object.hasOwn(typeNames, type) ? typeNames[type]! : type || 'Widget'
}
