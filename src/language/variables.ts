/**
 * Variables of a dashboard, `$name` and `${name}`, inside the strings of a query. A value is text
 * and nothing else: what is in it is not looked at again, so it can neither end the string nor name
 * a further variable.
 */

/** A text, or several of which each will do. */
export type VariableValue = string | readonly string[]

/** Values by name. */
export type Variables = Readonly<Record<string, VariableValue>>

/** `$name` outside of strings. The name is in the first group or the second. */
export const variableForm = /\$(?:\{([\p{L}\p{M}\p{N}_.:/-]+)\}|([\p{L}\p{M}\p{N}_]+))/u

const inStrings = new RegExp(`\\$?${variableForm.source}`, 'gu')

/** The value of a variable that is given; undefined for others, whatever their name. */
export function givenValue(name: string, variables: Variables): VariableValue | undefined {
  return Object.hasOwn(variables, name) ? variables[name] : undefined
}

/** The name of the one variable that `text` is, and nothing else; undefined where it is more. */
export function soleVariable(text: string): string | undefined {
  const found = variableForm.exec(text)
  return found?.[0] === text ? (found[1] ?? found[2]) : undefined
}

/** An expression that matches these texts and nothing else. */
export function alternatives(texts: readonly string[]): string {
  return texts.map(text => text.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')).join('|')
}

/**
 * `text` with the values of the variables that are given. Other names stay as they are:
 * expressions end in `$`, and messages hold `$5`. For a given name, `$$name` stands for `$name`.
 * @param take Called with each value before it is put in, and returns it as one text; may refuse it by
 *   throwing.
 */
export function expandVariables(
  text: string,
  variables: Variables,
  take: (name: string, value: VariableValue) => string,
): string {
  return text.replace(inStrings, (written: string, inBraces?: string, bare?: string) => {
    const name = inBraces ?? bare!
    const value = givenValue(name, variables)
    if (value === undefined) return written
    if (written.startsWith('$$')) return written.slice(1)
    return take(name, value)
  })
}
