/** Lines of logfmt: `level=info msg="took a while" duration=12ms`. */

const pair = /[^\s=]+(?:=(?:"((?:[^"\\]|\\.)*)"(?=\s|$)|([^\s"]*)(?=\s|$)))?(?=\s|$)/y
const blank = /\s*/y
const word = /\S+/y

/**
 * Calls `take` for each key with its value, empty where there is none.
 * @param isStrict Whether to end at the first part that is no pair; otherwise it is skipped.
 * @returns Where such a part begins, when it ended there.
 */
export function readLogfmt(
  line: string,
  isStrict: boolean,
  take: (key: string, value: string) => void,
): number | undefined {
  let at = 0
  for (;;) {
    blank.lastIndex = at
    blank.test(line)
    at = blank.lastIndex
    if (at === line.length) return undefined
    pair.lastIndex = at
    const found = pair.exec(line)
    if (found === null) {
      if (isStrict) return at
      word.lastIndex = at
      word.test(line)
      at = word.lastIndex
      continue
    }
    const [written, quoted, plain] = found
    const equals = written.indexOf('=')
    const key = equals === -1 ? written : written.slice(0, equals)
    const isKey = !key.includes('"')
    if (!isKey && isStrict) return at
    if (isKey) take(key, quoted === undefined ? (plain ?? '') : unescaped(quoted))
    at = pair.lastIndex
  }
}

function unescaped(text: string): string {
  if (!text.includes('\\')) return text
  try {
    const whole = text.replaceAll('\n', '\\n').replaceAll('\t', '\\t')
    return JSON.parse(`"${whole}"`).toWellFormed()
  } catch {
    return text
  }
}
