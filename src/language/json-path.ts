/** Paths into JSON, as LogQL writes them: `servers[0].name`, `request["user agent"]`. */

const step = /(?:^|\.)([\p{L}_$][\p{L}\p{N}_$-]*)|\[([0-9]{1,9})\]|\["((?:[^"\\]|\\.)*)"\]/uy

/** Keys and places of a path in their order; undefined when `text` is not one. */
export function parseJsonPath(text: string): (string | number)[] | undefined {
  const steps: (string | number)[] = []
  step.lastIndex = 0
  while (step.lastIndex < text.length) {
    const found = step.exec(text)
    if (found === null) return undefined
    const [, key, place, quoted] = found
    if (place !== undefined) steps.push(Number(place))
    else steps.push(key ?? quoted!.replaceAll(/\\(.)/g, '$1'))
  }
  return steps.length === 0 ? undefined : steps
}
