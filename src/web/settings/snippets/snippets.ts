/** All snippets, in the order in which they are offered. */

import { docker, fluentBit, vector } from './collectors.ts'
import { dockerSplunk, elastic, lokiPush, splunk } from './foreign.ts'
import { otelCollector, otelSdk } from './otel.ts'
import { curl, pino, python, webhook, winston } from './programs.ts'
import type { Snippet, SnippetFacts } from './snippet.ts'

const makers = [
  curl,
  pino,
  winston,
  python,
  otelSdk,
  otelCollector,
  vector,
  fluentBit,
  docker,
  dockerSplunk,
  elastic,
  lokiPush,
  splunk,
  webhook,
]

/** Ready to be pasted. `origin` must be one that `originOf` gave. */
export function snippetsFor(facts: SnippetFacts): readonly Snippet[] {
  return makers.map(make => make(facts))
}

/** The scheme and host of what somebody typed; undefined when it is no address over HTTP. */
export function originOf(text: string): string | undefined {
  const typed = text.trim()
  if (!/^https?:\/\/[^\s'"\\$`]+$/i.test(typed)) return undefined
  try {
    const { origin, username, pathname, search } = new URL(typed)
    return username === '' && pathname === '/' && search === '' ? origin : undefined
  } catch {
    return undefined
  }
}
