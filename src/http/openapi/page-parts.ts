/** Parts of the page at `/docs`: fields of a schema, parameters, bodies and answers, each as HTML. */

import { escapeHtml, lineHtml } from './markdown.ts'
import type { Json, JsonObject } from './schema-json.ts'

/** What a reference in the document points to. */
export type Resolve = (schema: JsonObject) => {
  readonly schema: JsonObject
  readonly name?: string
}

/** In a request it is worth saying what must be there, in an answer what may be missing. */
export type Side = 'request' | 'answer'

/** What the fields are shown with. */
export interface Showing {
  readonly resolve: Resolve
  readonly side: Side
}

/** The fields of an object, those of objects inside it below them; empty when it has none. */
export function fieldsHtml(schema: JsonObject, showing: Showing): string {
  const { schema: object } = showing.resolve(schema)
  const variants = variantsOf(object, showing)
  if (variants.length > 0) return variants.join('<p>or</p>')
  const required = new Set((object.required ?? []) as readonly string[])
  const fields = Object.entries((object.properties ?? {}) as Record<string, JsonObject>)
  if (fields.length === 0) return ''
  const shown = fields.map(([name, field]) =>
    fieldHtml({ name, field, isRequired: required.has(name) }, showing),
  )
  return `<dl class="fields">${shown.join('')}</dl>`
}

/** Where there are several kinds of objects, the fields of each that has no name. */
function variantsOf({ anyOf = [] }: JsonObject, showing: Showing): string[] {
  return (anyOf as readonly JsonObject[])
    .filter(one => one.properties !== undefined)
    .map(one => fieldsHtml(one, showing))
}

interface Field {
  readonly name: string
  readonly field: JsonObject
  readonly isRequired: boolean
}

function fieldHtml({ name, field, isRequired }: Field, showing: Showing): string {
  const description = typeof field.description === 'string' ? lineHtml(field.description) : ''
  const inner = innerObject(field, showing.resolve)
  const fields = inner === undefined ? '' : fieldsHtml(inner, showing)
  return `<dt><code>${escapeHtml(name)}</code> <span class="type">${typeHtml(field, showing.resolve)}</span> ${presenceHtml(isRequired, showing.side)}</dt>
<dd>${description}${limitsHtml(field)}${fields}</dd>`
}

function presenceHtml(isRequired: boolean, side: Side): string {
  if (side === 'request') return isRequired ? '<b class="required">required</b>' : ''
  return isRequired ? '' : '<span class="type">(not always)</span>'
}

/** The object whose fields are shown in place; one that has a name is shown where it is by itself. */
function innerObject(field: JsonObject, resolve: Resolve): JsonObject | undefined {
  if (resolve(field).name !== undefined) return undefined
  if (typeOf(field) === 'array') {
    return field.items === undefined ? undefined : innerObject(field.items as JsonObject, resolve)
  }
  return field
}

const wordsShownMax = 12

/** The type of a field; that it may be null as well is no news of one that may be absent. */
function typeOf({ type }: JsonObject): Json | undefined {
  return Array.isArray(type) ? type.find(one => one !== 'null') : type
}

/** `text`, `integer`, `list of Record` and the like, names as links. */
export function typeHtml(schema: JsonObject, resolve: Resolve): string {
  const { name } = resolve(schema)
  if (name !== undefined) return `<a href="#schema-${name}">${name}</a>`
  const { items, anyOf, const: only, enum: words, patternProperties } = schema
  const type = typeOf(schema)
  if (only !== undefined) return `<code>${escapeHtml(JSON.stringify(only))}</code>`
  if (Array.isArray(words)) {
    const shown = words.filter(word => word !== null)
    if (shown.length > wordsShownMax) return `one of ${shown.length} words`
    return shown.map(word => `<code>${escapeHtml(JSON.stringify(word))}</code>`).join(' or ')
  }
  if (Array.isArray(anyOf)) {
    return anyOf.map(one => typeHtml(one as JsonObject, resolve)).join(' or ')
  }
  if (type === 'array') return `list of ${typeHtml((items ?? {}) as JsonObject, resolve)}`
  if (patternProperties !== undefined) {
    const [values = {}] = Object.values(patternProperties as Record<string, JsonObject>)
    return `object of ${typeHtml(values, resolve)} by name`
  }
  return typeof type === 'string' ? escapeHtml(type) : 'anything'
}

const bounds = [
  ['minimum', 'at least'],
  ['maximum', 'at most'],
  ['minLength', 'length at least'],
  ['maxLength', 'length at most'],
  ['minItems', 'items at least'],
  ['maxItems', 'items at most'],
] as const

/** What the description does not say already. */
function limitsHtml(field: JsonObject): string {
  const description = String(field.description ?? '')
  if (/Must be/.test(description)) return ''
  const said = bounds
    .filter(([keyword]) => field[keyword] !== undefined && field[keyword] !== 0)
    .map(([keyword, words]) => `${words} ${String(field[keyword])}`)
  return said.length === 0 ? '' : ` <span class="bounds">${said.join(', ')}</span>`
}

/** A body or an answer: by content type, its type, its fields, its lines or events. */
export function contentsHtml(
  contents: Readonly<Record<string, JsonObject>>,
  showing: Showing,
): string {
  const { resolve } = showing
  return Object.entries(contents)
    .map(([type, content]) => {
      const schema = content.schema as JsonObject
      const events = Object.entries((content['x-events'] ?? {}) as Record<string, JsonObject>)
      return `<p class="content"><code>${escapeHtml(type)}</code> <span class="type">${typeHtml(schema, resolve)}</span></p>
${schemaHtml(schema, showing)}${linesHtml(content['x-lines'], resolve)}${events.map(([name, data]) => eventHtml(name, data, showing)).join('')}`
    })
    .join('')
}

function schemaHtml(schema: JsonObject, showing: Showing): string {
  if (showing.resolve(schema).name !== undefined) return ''
  const isPlain = schema.properties === undefined
  const said = isPlain && typeof schema.description === 'string'
  return `${said ? `<p>${lineHtml(String(schema.description))}</p>` : ''}${fieldsHtml(schema, showing)}`
}

function linesHtml(lines: Json | undefined, resolve: Resolve): string {
  return lines === undefined ? '' : `<p>Each line: ${typeHtml(lines as JsonObject, resolve)}.</p>`
}

function eventHtml(name: string, data: JsonObject, showing: Showing): string {
  const { resolve } = showing
  const description = typeof data.description === 'string' ? `: ${lineHtml(data.description)}` : ''
  return `<p>Event <code>${escapeHtml(name)}</code>, data ${typeHtml(data, resolve)}${description}</p>${resolve(data).name === undefined ? fieldsHtml(data, showing) : ''}`
}
