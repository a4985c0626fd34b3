/** Maps whose values are made when they are first asked for. */

interface Keyed<Key, Value> {
  get(key: Key): Value | undefined
  set(key: Key, value: Value): unknown
}

/**
 * What a map has under a key; what it has not is made, and there from then on. As the method of that name in
 * ECMAScript 2026, which Node 22 does not have. Not for what is done for each record: there a closure tells.
 */
export function getOrInsertComputed<Key, Value extends {}>(
  map: Keyed<Key, Value>,
  key: Key,
  make: (key: Key) => Value,
): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make(key)
  map.set(key, made)
  return made
}

/** The same of a map that begins anew when it has `max` values: others will be wanted then. */
export function getOrRemember<Key, Value extends {}>(
  map: Map<Key, Value>,
  key: Key,
  max: number,
  make: (key: Key) => Value,
): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = make(key)
  if (map.size >= max) map.clear()
  map.set(key, made)
  return made
}
