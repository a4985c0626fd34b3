/** Numbers, bytes, times and durations as people read them, the same everywhere on the page. */

const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 })
const precise = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 })
const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumSignificantDigits: 3 })

/** All digits: `12,408`. */
export function countText(count: number): string {
  return whole.format(count)
}

/** `1 file`, `12,408 files`. */
export function plural(count: number, word: string): string {
  return `${countText(count)} ${word}${count === 1 ? '' : 's'}`
}

/** Few characters, for axes and narrow places: `12.4K`. */
export function compactText(value: number): string {
  return Math.abs(value) < 1 ? precise.format(value) : compact.format(value)
}

/** A number with four significant digits. */
export function numberText(value: number): string {
  return Math.abs(value) >= 10_000 ? whole.format(value) : precise.format(value)
}

/** Time that something took: `38 ms`, `1.2 s`. */
export function elapsedText(ms: number): string {
  if (ms < 1) return '< 1 ms'
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${precise.format(Math.round(ms / 10) / 100)} s`
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const

export function bytesText(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(4, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1_024 ** power
  return `${power === 0 || value >= 100 ? whole.format(value) : precise.format(Math.round(value * 10) / 10)} ${byteUnits[power]}`
}
