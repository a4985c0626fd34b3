/** What all widgets of a dashboard are shown with, and how their queries are asked. */

import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { withCondition } from '../query/edit.ts'
import { readText } from '../query/read.ts'
import { selectorText } from '../query/selectors.ts'
import { rangeOf, type Times } from '../time/range.ts'
import type { BoardModel } from './board-model.ts'
import type { Values } from './model/queries.ts'

export interface Shown {
  readonly model: BoardModel
  readonly times: Times
  /** Of the variables, by name. */
  readonly values: Values
  /** Empty for all. */
  readonly environment: string
  readonly isEditing: boolean
  /** Of the crosshair that all charts share. */
  readonly syncKey: string
  onZoom(startTime: number, endTime: number): void
}

export const ShownContext = createContext<Shown | undefined>(undefined)

/** In a widget. */
export function useShown(): Shown {
  return useContext(ShownContext)!
}

/** A query as it is asked: with the environment that was chosen for the whole page. */
export function narrowed(
  query: string,
  { values, environment }: Pick<Shown, 'values' | 'environment'>,
): string {
  const matcher = { label: 'environment', operator: '=', value: environment } as const
  return environment === '' ? query : withCondition(query, matcher, { variables: values })
}

/** The log viewer at the records behind a query; undefined when it has none. */
export function logsAddress(
  query: string,
  { values, environment }: Pick<Shown, 'values' | 'environment'>,
  times: Times,
): string | undefined {
  const [selector] = readText(query, values)?.selectors ?? []
  if (selector === undefined) return undefined
  const { from, to } = rangeOf(times)
  const env = environment === '' ? {} : { env: environment }
  const asked = { query: selectorText(query, selector, values), from, to, ...env }
  return `/logs?${new URLSearchParams(asked)}`
}
