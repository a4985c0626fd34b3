/** Strings of the query language: JSON's escapes in `"…"` and `'…'`, none in `` `…` ``. */

export function quoted(text: string): string {
  return JSON.stringify(text)
}

/** What a string token says, closed or not; an escape that is not finished is left out. */
export function unquoted(token: string): string {
  const quote = token[0]!
  const isClosed = token.length > 1 && token.endsWith(quote) && !/(^|[^\\])(\\\\)*\\.$/s.test(token)
  const inner = token.slice(1, isClosed ? -1 : undefined)
  if (quote === '`') return inner
  return inner.replace(/\\(u[0-9a-fA-F]{4}|[^u]|u.{0,3}$|$)/gs, (_, sequence: string) => {
    if (/^u.{4}$/.test(sequence)) return String.fromCharCode(Number.parseInt(sequence.slice(1), 16))
    return sequence.startsWith('u') ? '' : (named[sequence] ?? sequence)
  })
}

const named: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
}

/** A label as it stands in a query: bare where it can. */
export function labelText(label: string): string {
  return /^[\p{L}\p{M}\p{N}_.:/-]+$/u.test(label) ? label : quoted(label)
}

/** An expression that matches just this text. */
export function literal(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$]/g, '\\$&')
}
