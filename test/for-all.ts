/**
 * Properties: what must hold of whatever fast-check makes of some arbitraries. A body that throws, or returns
 * false, is one that does not hold; the smallest values for which it does not are told.
 */
import * as fc from 'fast-check'

type Arbitraries<Ts> = { [K in keyof Ts]: fc.Arbitrary<Ts[K]> }
type Some = [unknown, ...unknown[]]
// biome-ignore lint/suspicious/noConfusingVoidType: a body of assertions returns nothing.
type Held = boolean | void
type Asked<Ts extends Some, Told> = [...Arbitraries<Ts>, body: (...values: Ts) => Told]

/** `forAll(a, b, (a, b) => …)`; how often it is tried may be said first: `{ numRuns: 1_000 }`. */
export function forAll<Ts extends Some>(...asked: Asked<Ts, Held>): void
export function forAll<Ts extends Some>(how: fc.Parameters<Ts>, ...asked: Asked<Ts, Held>): void
export function forAll(...given: unknown[]): void {
  const { how, asked } = told(given)
  fc.assert(fc.property(...(asked as Asked<Some, boolean>)), how)
}

/** The same of a body that promises. */
export function forAllAsync<Ts extends Some>(...asked: Asked<Ts, Promise<Held>>): Promise<void>
export function forAllAsync<Ts extends Some>(
  how: fc.Parameters<Ts>,
  ...asked: Asked<Ts, Promise<Held>>
): Promise<void>
export function forAllAsync(...given: unknown[]): Promise<void> {
  const { how, asked } = told(given)
  return fc.assert(fc.asyncProperty(...(asked as Asked<Some, Promise<boolean>>)), how)
}

function told([first, ...rest]: unknown[]): { how?: fc.Parameters<Some>; asked: unknown[] } {
  return first instanceof fc.Arbitrary
    ? { asked: [first, ...rest] }
    : { how: first as fc.Parameters<Some>, asked: rest }
}
