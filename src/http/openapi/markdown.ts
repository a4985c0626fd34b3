/**
 * As much Markdown as our own descriptions use, made into HTML: paragraphs, `##` headings, lists, tables,
 * fenced code; `code`, **strong** and [links](#…) in a line. Everything else is text, and escaped.
 */

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, char => entities[char]!)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** `level`: of the headings that stand as `##` in the text. */
export function markdownHtml(markdown: string, level = 2): string {
  return blocksOf(markdown)
    .map(block => blockHtml(block, level))
    .join('\n')
}

/** Parts between blank lines; fenced code is one part, whatever lines it has. */
function blocksOf(markdown: string): string[] {
  return [...markdown.matchAll(/^```[\s\S]*?^```$|^.+(?:\n(?!```).+)*/gm)].map(([block]) => block)
}

function blockHtml(block: string, level: number): string {
  const fenced = /^```\w*\n([\s\S]*?)```$/.exec(block)
  if (fenced) return codeHtml(fenced[1]!.trimEnd())
  const heading = /^## (.+)$/.exec(block)
  if (heading) {
    const text = heading[1]!
    return `<h${level} id="${anchorOf(text)}">${lineHtml(text)}</h${level}>`
  }
  if (block.startsWith('|')) return tableHtml(block.split('\n'))
  if (block.startsWith('- ')) {
    const points = block.slice(2).split('\n- ')
    return `<ul>${points.map(point => `<li>${lineHtml(point)}</li>`).join('')}</ul>`
  }
  return `<p>${lineHtml(block)}</p>`
}

/** Code that may be wider than the page: it scrolls, also by the keyboard. */
export function codeHtml(code: string): string {
  return `<pre tabindex="0"><code>${escapeHtml(code)}</code></pre>`
}

/** `\|` inside a cell is a bar. */
function tableHtml([head = '', , ...rows]: readonly string[]): string {
  const cells = (row: string, tag: string) =>
    row
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map(cell => `<${tag}>${lineHtml(cell.trim().replaceAll('\\|', '|'))}</${tag}>`)
      .join('')
  const body = rows.map(row => `<tr>${cells(row, 'td')}</tr>`).join('')
  return `<div class="scroll" tabindex="0"><table><thead><tr>${cells(head, 'th')}</tr></thead><tbody>${body}</tbody></table></div>`
}

const inLine = /(`+)(.+?)\1|\*\*(.+?)\*\*|\[([^\]]+)\]\((#?[\w./:-]+)\)/gs

/** One line, or several that belong together. */
export function lineHtml(text: string): string {
  let html = ''
  let end = 0
  for (const match of text.matchAll(inLine)) {
    const [whole, , code, strong, label, target] = match
    html += escapeHtml(text.slice(end, match.index))
    if (code !== undefined) html += `<code>${escapeHtml(code.trim())}</code>`
    else if (strong !== undefined) html += `<strong>${escapeHtml(strong)}</strong>`
    else html += `<a href="${escapeHtml(target!)}">${escapeHtml(label!)}</a>`
    end = match.index + whole.length
  }
  return html + escapeHtml(text.slice(end))
}

/** What a heading is found by in the address. */
export function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
