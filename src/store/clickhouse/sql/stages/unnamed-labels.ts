/** Labels behind stages that no stage names: what a record came with, and what parsers find in its line. */
import { parseLinePattern } from '../../../../language/line-pattern.ts'
import { logqlName } from '../../../../language/logql-names.ts'
import type { Stage } from '../../../../language/stage.ts'
import { compileCapturing } from '../../../../match/pattern.ts'
import { type AllFound, allFoundBy } from './all-found.ts'
import type { Definitions } from './definitions.ts'
import type { Staged } from './staged.ts'
import { isErrorKey } from './staged-record.ts'

export interface UnnamedLabels {
  /** LogQL's names of all others: of those that a stage names, but for errors. */
  readonly named: readonly string[]
  /** What parsers find, of which the last one that finds a label makes it. */
  readonly founds: readonly AllFound[]
  /** Of an attribute's `key`: it is no label that is named, and shows as it came. */
  readonly isOwn: string
}

/** Undefined where the stages do not tell which labels they make. */
export function unnamedLabels({ steps }: Staged, defined: Definitions): UnnamedLabels | undefined {
  const named = new Set<string>()
  for (const { stage } of steps) {
    const keys = namedKeys(stage)
    if (keys === undefined) return undefined
    for (const key of keys) if (!isErrorKey(key)) named.add(key)
  }
  const lastKeep = steps.findLastIndex(({ stage }) => stage.kind === 'keep')
  // What is found before, and not named, is not kept.
  const founds = steps
    .slice(lastKeep + 1)
    .map(({ stage, before }) => allFoundBy(stage, before, defined))
    .filter(found => found !== undefined)
  const isNotMade = notIn([defined.bound.texts([...named]), ...founds.map(({ keys }) => keys)])
  return { named: [...named], founds, isOwn: lastKeep === -1 ? isNotMade : '0' }
}

/** For each parser which of its keys, and whatever is beside them, are of labels as it has made them. */
export function foundLabels(
  { named, founds }: UnnamedLabels,
  besideOf: (found: AllFound) => string,
  defined: Definitions,
): readonly string[] {
  const allNamed = defined.bound.texts(named)
  return founds.map((found, at) => {
    const isLast = notIn([allNamed, ...founds.slice(at + 1).map(({ keys }) => keys)])
    const beside = besideOf(found)
    return defined.define(`arrayFilter((beside, key, isEmpty) -> isEmpty = 0 AND ${isLast},
      ${beside}, ${found.keys}, ${found.areEmpty})`)
  })
}

function notIn(keys: readonly string[]): string {
  return keys.map(one => `NOT has(${one}, key)`).join(' AND ')
}

/** LogQL's names of labels that a stage names, and may make or take; undefined where that is not told. */
function namedKeys(stage: Stage): readonly string[] | undefined {
  switch (stage.kind) {
    case 'line':
    case 'filter':
    case 'line_format':
    case 'decolorize':
    case 'unpack':
      return []
    case 'json':
    case 'logfmt':
      return extracted(stage.extractions.map(({ label }) => label))
    case 'regexp':
      return extracted(Object.keys(compileCapturing(stage.text).namedGroups()))
    case 'pattern': {
      const parts = parseLinePattern(stage.text)
      if (typeof parts === 'string') return undefined
      const captures = parts.flatMap(part => (typeof part === 'string' ? [] : [part.capture]))
      return extracted(captures.filter(name => name !== '_'))
    }
    case 'label_format':
      return stage.assignments
        .flatMap(one => ('from' in one ? [one.label, one.from] : [one.label]))
        .map(logqlName)
    case 'keep':
    case 'drop':
      return stage.labels.map(label => logqlName(typeof label === 'string' ? label : label.label))
    default:
      return undefined
  }
}

/** Under the names that they get, whatever the record came with. */
function extracted(labels: readonly string[]): readonly string[] {
  return labels.map(logqlName).flatMap(key => [key, `${key}_extracted`])
}
