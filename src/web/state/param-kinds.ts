/**
 * How values stand in the query string. A kind reads any text, so an address that somebody edited shows
 * the fallback instead of failing, and prints the fallback as nothing, so that addresses stay short.
 */

export interface ParamKind<T> {
  /** `text` is undefined when the parameter is absent. */
  read(text: string | undefined): T
  /** Undefined: the parameter is left out. `read(print(x))` is `x`. */
  print(value: T): string | undefined
}

export function textParam(fallback = ''): ParamKind<string> {
  return {
    read: text => text ?? fallback,
    print: value => (value === fallback ? undefined : value),
  }
}

/** One of a few words; the first is the fallback. */
export function choiceParam<const T extends string>(choices: readonly [T, ...T[]]): ParamKind<T> {
  return {
    read: text => choices.find(choice => choice === text) ?? choices[0],
    print: value => (value === choices[0] ? undefined : value),
  }
}

/** On as `1`, off by absence. */
export const flagParam: ParamKind<boolean> = {
  read: text => text === '1',
  print: value => (value ? '1' : undefined),
}

/** Several texts, joined by commas; commas and backslashes inside are escaped. */
export const listParam: ParamKind<readonly string[]> = {
  read: text => {
    if (text === undefined) return []
    const parts: string[] = []
    let part = ''
    for (let i = 0; i < text.length; i++) {
      if (text[i] === ',') {
        parts.push(part)
        part = ''
      } else {
        if (text[i] === '\\') i++
        part += text[i] ?? ''
      }
    }
    return [...parts, part]
  },
  print: values =>
    values.length === 0
      ? undefined
      : values.map(value => value.replace(/[\\,]/g, '\\$&')).join(','),
}
