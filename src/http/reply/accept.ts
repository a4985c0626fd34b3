/** What a client says of the form in which it wants an answer (RFC 9110, 12.5). */

interface Preference {
  readonly value: string
  /** From 0, not at all, to 1. */
  readonly quality: number
}

/**
 * The one of `offered` (in lower case, the preferred first) that an `Accept` header likes best;
 * undefined when it takes none of them.
 */
export function chooseMediaType<Offered extends string>(
  header: string,
  offered: readonly Offered[],
): Offered | undefined {
  if (header.trim() === '') return offered[0]
  const preferences = readPreferences(header)
  const qualities = offered.map(type => mediaQuality(type, preferences))
  const best = Math.max(...qualities)
  return best > 0 ? offered[qualities.indexOf(best)] : undefined
}

/** Whether an `Accept-Encoding` header takes gzip. */
export function acceptsGzip(header: string): boolean {
  const preferences = readPreferences(header)
  const ofGzip = preferences.find(({ value }) => value === 'gzip' || value === 'x-gzip')
  const named = ofGzip ?? preferences.find(({ value }) => value === '*')
  return named !== undefined && named.quality > 0
}

/** The most precise of the ranges that hold a type decides. */
function mediaQuality(type: string, preferences: readonly Preference[]): number {
  const group = `${type.slice(0, type.indexOf('/'))}/*`
  for (const range of [type, group, '*/*']) {
    const found = preferences.find(({ value }) => value === range)
    if (found !== undefined) return found.quality
  }
  return 0
}

/** Parameters other than the quality are left aside. */
function readPreferences(header: string): readonly Preference[] {
  return header.split(',').map(part => {
    const [value = '', ...parameters] = part.split(';').map(text => text.trim().toLowerCase())
    const weight = parameters.find(parameter => parameter.startsWith('q='))
    const quality = weight === undefined ? 1 : Number(weight.slice(2))
    return { value, quality: quality >= 0 && quality <= 1 ? quality : 1 }
  })
}
