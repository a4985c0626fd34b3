/** Slack's incoming webhooks, and those of others that take the same: `{"text": …}`. */
import type { SlackConfig } from '../receivers/receiver.ts'
import type { AlertsNotice, Notice } from './notice.ts'
import { namedAlerts, subjectLine } from './plain-text.ts'
import { post } from './post.ts'
import type { SendContext } from './send-context.ts'

/** Slack cuts a text at 40,000 characters, and asks for less than 4,000. */
const textLengthMax = 3_900

/** Throws as `post`. */
export async function sendSlack(
  { url }: SlackConfig,
  { content }: Notice & { readonly content: AlertsNotice },
  context: SendContext,
): Promise<void> {
  const { named, leftCount } = namedAlerts(context.publicUrl, content)
  const lines = named.map(({ status, text, labels, link }) => {
    const mark = status === 'firing' ? ':red_circle:' : ':large_green_circle:'
    return `${mark} ${escaped(text)}${labels === '' ? '' : ` (${escaped(labels)})`} <${link}|records>`
  })
  if (leftCount > 0) lines.push(`… and ${leftCount} more`)
  const text = cut([`*${escaped(subjectLine(content))}*`, ...lines])
  await post({ url, body: JSON.stringify({ text }) }, context)
}

/** Whole lines, as many as there is room for. */
function cut(lines: readonly string[]): string {
  let text = ''
  for (const line of lines) {
    if (text.length + line.length > textLengthMax) return `${text}…`
    text += `${line}\n`
  }
  return text.trimEnd()
}

/** What has a meaning of its own in Slack's texts. */
function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
