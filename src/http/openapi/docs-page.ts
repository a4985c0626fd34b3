/**
 * The page at `/docs`: the OpenAPI document, readable. Made on the server, without scripts; its style is a
 * file of its own. All texts come from the document and are escaped.
 */

import { problems } from '../../problems.ts'
import { formContentType } from '../body/form.ts'
import { anchorOf, escapeHtml, lineHtml, markdownHtml } from './markdown.ts'
import { operationHtml, type ShownOperation } from './page-operation.ts'
import { fieldsHtml, type Resolve } from './page-parts.ts'
import type { JsonObject } from './schema-json.ts'

/** Nothing but its own style: neither scripts nor anything from elsewhere. */
export const docsPolicy =
  "default-src 'none'; style-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

/** The page at `/docs`, whole, from the OpenAPI document. It runs no script. */
export function docsHtml(document: JsonObject, { stylePath }: { stylePath: string }): string {
  const info = document.info as JsonObject
  const schemas = (document.components as JsonObject).schemas as Record<string, JsonObject>
  const resolve = resolver(schemas)
  const groups = groupsOf(document)
  const introduction = String(info.description)
  const title = `${String(info.title)} API`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${stylePath}">
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header><a class="home" href="/">Logstrata</a> <span>API ${escapeHtml(String(info.version))}</span> <a class="to-contents" href="#contents">Contents</a> <a href="/openapi.json">openapi.json</a></header>
<nav id="contents" aria-label="Contents">${contentsHtml(introduction, groups)}</nav>
<main id="main" tabindex="-1">
<h1>${escapeHtml(title)}</h1>
${markdownHtml(introduction)}
${groups.map(group => groupHtml(group, resolve)).join('\n')}
<section><h2 id="error-codes">Error codes</h2>${problemsHtml()}</section>
<section><h2 id="schemas">Schemas</h2>${schemasHtml(schemas, resolve)}</section>
</main>
</body>
</html>
`
}

interface Group {
  readonly name: string
  readonly description: string
  readonly operations: readonly ShownOperation[]
}

function groupsOf(document: JsonObject): readonly Group[] {
  const operations = Object.entries(document.paths as Record<string, JsonObject>).flatMap(
    ([path, atPath]) => shownOperations(path, atPath as Record<string, JsonObject>),
  )
  return (document.tags as readonly JsonObject[])
    .map(({ name, description }) => ({
      name: String(name),
      description: String(description),
      operations: operations.filter(({ operation }) => (operation.tags as string[])[0] === name),
    }))
    .filter(group => group.operations.length > 0)
}

/** What is the same by GET and, as a form, by POST is shown once. */
function shownOperations(
  path: string,
  atPath: Readonly<Record<string, JsonObject>>,
): readonly ShownOperation[] {
  const { get, post } = atPath
  const byForm = get !== undefined && isForm(post) ? post : undefined
  return Object.entries(atPath)
    .filter(([, operation]) => operation !== byForm)
    .map(([method, operation]) => ({
      method,
      path,
      operation,
      byForm: operation === get ? byForm : undefined,
    }))
}

function isForm(operation: JsonObject | undefined): boolean {
  const body = operation?.requestBody as JsonObject | undefined
  return body !== undefined && formContentType in (body.content as JsonObject)
}

function resolver(schemas: Readonly<Record<string, JsonObject>>): Resolve {
  return schema => {
    const { $ref } = schema
    if (typeof $ref !== 'string') return { schema }
    const name = $ref.slice($ref.lastIndexOf('/') + 1)
    return { schema: schemas[name]!, name }
  }
}

const afterGroups = ['Error codes', 'Schemas']

function contentsHtml(introduction: string, groups: readonly Group[]): string {
  const headings = [...introduction.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading!)
  const plain = (heading: string) =>
    `<li><a href="#${anchorOf(heading)}">${escapeHtml(heading)}</a></li>`
  const listed = groups.map(({ name, operations }) => {
    const inside = operations.map(({ operation }) => {
      const id = String(operation.operationId)
      return `<li><a href="#${id}">${lineHtml(String(operation.summary))}</a></li>`
    })
    return `<li><a href="#${anchorOf(name)}">${escapeHtml(name)}</a><ul>${inside.join('')}</ul></li>`
  })
  const all = [...headings.map(plain), ...listed, ...afterGroups.map(plain)]
  return `<ul>${all.join('')}</ul>`
}

function groupHtml({ name, description, operations }: Group, resolve: Resolve): string {
  const shown = operations.map(operation => operationHtml(operation, resolve))
  return `<section><h2 id="${anchorOf(name)}">${escapeHtml(name)}</h2><p>${lineHtml(description)}</p>
${shown.join('\n')}</section>`
}

function problemsHtml(): string {
  const rows = Object.entries(problems).map(
    ([code, { status, title }]) =>
      `<tr id="code-${code}"><td><code>${code}</code></td><td>${status}</td><td>${escapeHtml(title)}</td></tr>`,
  )
  return `<div class="scroll" tabindex="0"><table><thead><tr><th>Code</th><th>Status</th><th>Title</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function schemasHtml(schemas: Readonly<Record<string, JsonObject>>, resolve: Resolve): string {
  return Object.entries(schemas)
    .map(([name, schema]) => {
      const description = schema.description === undefined ? '' : String(schema.description)
      return `<article id="schema-${name}"><h3><a href="#schema-${name}">${name}</a></h3>
<p>${lineHtml(description)}</p>${fieldsHtml(schema, { resolve, side: 'answer' })}</article>`
    })
    .join('\n')
}
