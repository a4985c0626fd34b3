/** What stages mean, in the plainest code that can say it; and what to try them on. */

import fc from 'fast-check'
import type { Condition, Stage } from '../../../src/language/stage.ts'
import type { StreamRecord } from '../../segment/sealed.ts'
import { filterHolds, object } from '../plain.ts'
import { decolorizePlainly, takeCaptures, takeGroups, unpackPlainly } from './plain-lines.ts'
import type { PlainTemplate } from './plain-template.ts'

export interface PlainRow {
  readonly line: string
  /** Of LogQL's names, without those that are empty. */
  readonly labels: ReadonlyMap<string, string>
}

const ownNames = { 'service.name': 'service_name', log_level: 'detected_level' } as const

/** LogQL's name of a label. */
export function plainName(label: string): string {
  return ownNames[label as keyof typeof ownNames] ?? label.replace(/\W/g, '_')
}

/**
 * What becomes of a record; undefined when it does not come through. `templates`: by their text; any other
 * one is `{{.a}}-{{.n}}`. Throws TooMuch.
 */
export function throughPlainly(
  stages: readonly Stage[],
  { stream, level, message, attributes }: StreamRecord,
  templates: ReadonlyMap<string, PlainTemplate> = new Map(),
): PlainRow | undefined {
  const own = new Map<string, string>()
  for (let i = 0; i < attributes.length; i += 2) {
    if (attributes[i + 1] !== '') own.set(attributes[i]!.replace(/\W/g, '_'), attributes[i + 1]!)
  }
  own.set(ownNames['service.name'], stream.service)
  own.set('environment', stream.environment)
  own.set(ownNames.log_level, level)
  const labels = new Map(own)
  const names = new Set(own.keys())
  let line = message
  const fail = (error: string) => {
    if (!labels.has('__error__')) labels.set('__error__', error)
  }
  const take = (key: string, text: string) => {
    if (key === '') return
    const plain = key.replace(/^(?=[0-9])|\W/g, '_')
    const name = names.has(plain) ? `${plain}_extracted` : plain
    // Half of a character can be written in JSON, and is no text.
    if (text === '') labels.delete(name)
    else labels.set(name, text.toWellFormed())
  }
  const render = (text: string, seen: ReadonlyMap<string, string> = labels) => {
    const template = templates.get(text)
    if (template === undefined) return `${seen.get('a') ?? ''}-${seen.get('n') ?? ''}`
    const made = template.render(line, seen)
    if (made === undefined) fail('TemplateFormatErr')
    return made
  }
  const holds = (condition: Condition, isNegated = false): boolean => {
    if (condition.kind === 'not') return holds(condition.condition, !isNegated)
    if ('conditions' in condition) {
      const { kind, conditions } = condition
      return (kind === 'and') !== isNegated
        ? conditions.every(one => holds(one, isNegated))
        : conditions.some(one => holds(one, isNegated))
    }
    const text = labels.get(plainName(condition.label)) ?? ''
    if (condition.kind === 'text')
      return ((text === condition.value) === (condition.operator === '=')) !== isNegated
    if (labels.has('__error__')) return true
    if (condition.kind === 'address') throw new TypeError('not in this model')
    if (text === '') return isNegated
    if (!/^[-+]?([0-9]+\.?[0-9]*|\.[0-9]+)(e[-+]?[0-9]+)?$/i.test(text)) {
      fail('LabelFilterErr')
      return true
    }
    const [a, b] = [Number(text), condition.value]
    const outcome = {
      '==': a === b,
      '!=': a !== b,
      '>': a > b,
      '<': a < b,
      '>=': a >= b,
      '<=': a <= b,
    }[condition.operator]
    return outcome !== isNegated
  }
  for (const stage of stages) {
    switch (stage.kind) {
      case 'line':
        if (!filterHolds(stage.filter, line)) return undefined
        break
      case 'filter':
        if (!holds(stage.condition)) return undefined
        break
      case 'json':
        takeJson(line, take, fail)
        break
      case 'logfmt':
        for (const pair of line.split(/\s+/)) {
          const [key, value] = pair.split(/=(.*)/s)
          if (key && value && !pair.includes('"')) take(key, value)
        }
        break
      case 'regexp':
        takeGroups(stage.text, line, take)
        break
      case 'pattern':
        takeCaptures(stage.text, line, take)
        break
      case 'unpack':
        line = unpackPlainly(line, take, fail)
        break
      case 'decolorize':
        line = decolorizePlainly(line)
        break
      case 'line_format':
        line = render(stage.text) ?? line
        break
      case 'label_format': {
        let seen: ReadonlyMap<string, string> | undefined
        for (const assignment of stage.assignments) {
          if ('template' in assignment) {
            seen ??= new Map(labels)
            const made = render(assignment.template, seen)
            if (made !== undefined) labels.set(assignment.label, made)
            if (made === '') labels.delete(assignment.label)
            continue
          }
          const value = labels.get(assignment.from)
          if (value === undefined) continue
          labels.set(assignment.label, value)
          if (assignment.from !== assignment.label) labels.delete(assignment.from)
        }
        break
      }
      case 'keep':
        for (const name of labels.keys()) {
          if (!stage.labels.includes(name) && name !== '__error__') labels.delete(name)
        }
        break
      case 'drop':
        for (const name of stage.labels) labels.delete(name as string)
        break
      default:
        throw new TypeError(`not in this model: ${stage.kind}`)
    }
  }
  return { line, labels }
}

function takeJson(
  line: string,
  take: (key: string, value: string) => void,
  fail: (error: string) => void,
): void {
  let value: unknown
  try {
    value = JSON.parse(line)
  } catch {
    value = undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    fail('JSONParserErr')
    return
  }
  const visit = (members: object, prefix: string): void => {
    for (const [key, member] of Object.entries(members)) {
      if (member === null || Array.isArray(member)) continue
      if (typeof member === 'object') visit(member, `${prefix}${key}_`)
      else take(prefix + key, String(member))
    }
  }
  visit(value, '')
}

const some = <T>(...values: T[]) => fc.constantFrom(...values)
const names = ['a', 'n', 'in_x', 'status', 'user.id', 'b']
const values = ['1', '20', '-3', 'x', 'error']

const arbitraryMessage: fc.Arbitrary<string> = fc.oneof(
  fc
    .record(
      {
        a: some<unknown>('x', 'error', '', 'é"\\'),
        n: some<unknown>(1, 20, -3, 0.5, null, true),
        in: some<unknown>({ x: 1, y: 'z' }, { x: { x: 'deep' } }, [1], {}),
        status: some<unknown>(200, '500'),
        'user.id': some<unknown>('u1'),
      },
      { requiredKeys: [] },
    )
    .map(value => JSON.stringify(value)),
  fc
    .array(fc.tuple(some('a', 'n', 'status', 'user.id'), some(...values, '')), { maxLength: 4 })
    .map(pairs => pairs.map(([key, value]) => `${key}=${value}`).join(' ')),
  some('', 'plain text', '{"a":', '[1,2]', 'error', 'a=1 x "'),
)

export const arbitraryStaged: fc.Arbitrary<StreamRecord> = object({
  timestamp: fc.integer({ min: 0, max: 60 }),
  level: some('info', 'error'),
  message: arbitraryMessage,
  attributes: fc
    .uniqueArray(fc.tuple(some('status', 'user.id', 'b'), some(...values)), {
      maxLength: 2,
      selector: ([name]) => name,
    })
    .map(pairs => pairs.flat()),
  stream: object({ service: some('api', 'worker'), environment: some('prod') }),
})

const arbitraryComparison: fc.Arbitrary<Condition> = fc.oneof(
  object({
    kind: some('text' as const),
    label: some(...names, 'service_name', 'detected_level', '__error__'),
    operator: some('=' as const, '!=' as const),
    value: some(...values, 'api', 'JSONParserErr'),
  }),
  object({
    kind: some('quantity' as const),
    label: some(...names),
    operator: some('==' as const, '!=' as const, '>' as const, '<=' as const),
    unit: some('number' as const),
    value: some(1, 20, 0, 500),
  }).map(made => ({ ...made, text: String(made.value) })),
)

const arbitraryCondition: fc.Arbitrary<Condition> = fc.oneof(
  { weight: 3, arbitrary: arbitraryComparison },
  {
    weight: 1,
    arbitrary: object({
      kind: some('and' as const, 'or' as const),
      conditions: fc.array(arbitraryComparison, { minLength: 2, maxLength: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: object({ kind: some('not' as const), condition: arbitraryComparison }),
  },
)

export const arbitraryStage: fc.Arbitrary<Stage> = fc.oneof(
  object({ kind: some('filter' as const), condition: arbitraryCondition }),
  some<Stage>(
    { kind: 'json', extractions: [] },
    { kind: 'logfmt', extractions: [], isStrict: false, keepsEmpty: false },
    { kind: 'line_format', text: '{{.a}}-{{.n}}' },
    { kind: 'label_format', assignments: [{ label: 'b', from: 'a' }] },
    {
      kind: 'label_format',
      assignments: [
        { label: 'n', from: 'status' },
        { label: 'a', template: '{{.a}}-{{.n}}' },
        { label: 'status', from: 'n' },
        { label: 'b', template: '{{.a}}-{{.n}}' },
      ],
    },
    { kind: 'keep', labels: ['a', 'in_x', 'b'] },
    { kind: 'drop', labels: ['a', 'status', '__error__'] },
    { kind: 'line', filter: { operator: '|=', text: 'a' } },
    { kind: 'line', filter: { operator: '!=', text: 'error' } },
  ),
)

export const arbitraryStages: fc.Arbitrary<Stage[]> = fc.array(arbitraryStage, {
  minLength: 1,
  maxLength: 4,
})
