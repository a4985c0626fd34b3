/** Counters without labels of their own, and what counters come to. */
import { Counter, type Registry } from 'prom-client'

/** `name` is without the prefix that all of ours have. */
export function newCounter(registry: Registry, name: string, help: string): Counter {
  return new Counter({ name: `logstrata_${name}`, help, registers: [registry] })
}

/** The sum of all its labels. */
export async function totalOf(counter: Counter): Promise<number> {
  return (await counter.get()).values.reduce((sum, { value }) => sum + value, 0)
}
