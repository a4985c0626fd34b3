/** One operation on the page at `/docs`. */

import { codeHtml, escapeHtml, lineHtml, markdownHtml } from './markdown.ts'
import { contentsHtml, type Resolve, typeHtml } from './page-parts.ts'
import type { JsonObject } from './schema-json.ts'

export interface ShownOperation {
  readonly method: string
  readonly path: string
  readonly operation: JsonObject
  /** The same by POST, which takes a form. */
  readonly byForm: JsonObject | undefined
}

/** One operation on the page at `/docs`. */
export function operationHtml(
  { method, path, operation, byForm }: ShownOperation,
  resolve: Resolve,
): string {
  const id = String(operation.operationId)
  const description = operation.description === undefined ? '' : String(operation.description)
  return `<article id="${id}">
<h3><a href="#${id}">${lineHtml(String(operation.summary))}</a></h3>
<p class="address"><span class="method ${method}">${method.toUpperCase()}</span> <code>${breakable(path)}</code> <span class="access">${accessHtml(operation)}</span></p>
${byForm === undefined ? '' : byFormHtml(byForm)}${markdownHtml(description, 4)}
${parametersHtml(operation, resolve)}${bodyHtml(operation, resolve)}${sampleHtml(operation)}
<h4>Answers</h4>
${answersHtml(operation, resolve)}
</article>`
}

function byFormHtml({ operationId, requestBody }: JsonObject): string {
  const { description } = requestBody as JsonObject
  return `<p id="${String(operationId)}">By POST too, with its parameters in a form, <code>application/x-www-form-urlencoded</code>. ${lineHtml(String(description))}</p>`
}

/** May be broken after each part, so that it fits on a phone. */
function breakable(path: string): string {
  return escapeHtml(path).replaceAll('/', '/<wbr>')
}

function accessHtml(operation: JsonObject): string {
  const access = operation['x-access']
  if (access === undefined) return 'open to everybody'
  return access === 'ingestion-token' ? 'ingestion token' : `API key: ${escapeHtml(String(access))}`
}

const places: Readonly<Record<string, string>> = {
  path: 'in the path',
  query: 'in the query string',
  header: 'header',
}

function parametersHtml({ parameters }: JsonObject, resolve: Resolve): string {
  if (!Array.isArray(parameters)) return ''
  const shown = (parameters as readonly JsonObject[]).map(
    ({ name, in: place, required, description, schema }) =>
      `<dt><code>${escapeHtml(String(name))}</code> <span class="type">${typeHtml(schema as JsonObject, resolve)}, ${places[String(place)]}</span> ${required === true ? '<b class="required">required</b>' : ''}</dt>
<dd>${lineHtml(String(description))}</dd>`,
  )
  return `<h4>Parameters</h4><dl class="fields">${shown.join('')}</dl>`
}

function bodyHtml({ requestBody }: JsonObject, resolve: Resolve): string {
  if (requestBody === undefined) return ''
  const { description, content } = requestBody as JsonObject
  const said = description === undefined ? '' : `<p>${lineHtml(String(description))}</p>`
  return `<h4>Body</h4>${said}${contentsHtml(content as Record<string, JsonObject>, { resolve, side: 'request' })}`
}

function sampleHtml(operation: JsonObject): string {
  const samples = operation['x-codeSamples'] as readonly JsonObject[] | undefined
  if (samples === undefined) return ''
  return `<h4>Example</h4>${samples.map(({ source }) => codeHtml(String(source))).join('')}`
}

/** Answers that succeed in full; of the others, which codes there are. */
function answersHtml({ responses }: JsonObject, resolve: Resolve): string {
  const answers = Object.entries(responses as Record<string, JsonObject>)
  const shown = answers
    .filter(([status]) => status < '400')
    .map(([status, answer]) => {
      const contents = (answer.content ?? {}) as Record<string, JsonObject>
      return `<p class="answer"><b>${status}</b> ${lineHtml(String(answer.description))}</p>${contentsHtml(contents, { resolve, side: 'answer' })}`
    })
  const problems = answers
    .filter(([status]) => status >= '400')
    .map(
      ([status, { description }]) => `<li><b>${status}</b> ${codesHtml(String(description))}</li>`,
    )
  return `${shown.join('')}<ul class="problems">${problems.join('')}</ul>`
}

/** The codes in the list that a problem's description is; each is explained once, in a table. */
function codesHtml(description: string): string {
  const codes = [...description.matchAll(/^- `(\w+)`/gm)].map(([, code]) => code!)
  return codes.map(code => `<a href="#code-${code}"><code>${code}</code></a>`).join(' ')
}
