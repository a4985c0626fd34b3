/** All snippets, in the order in which they are offered. */

import { browser } from './browser.ts'
import { docker, fluentBit, vector } from './collectors.ts'
import { datadog, dockerSplunk, elastic, journald, lokiPush, splunk } from './foreign.ts'
import { fluentForward, gelf, rsyslog, syslogNg } from './listeners.ts'
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
  rsyslog,
  syslogNg,
  fluentForward,
  gelf,
  journald,
  elastic,
  lokiPush,
  splunk,
  datadog,
  webhook,
]

/**
 * Ready to be pasted. `origin` must be one that `originOf` gave. A token for pages is of no use to anything
 * else.
 */
export function snippetsFor(facts: SnippetFacts): readonly Snippet[] {
  if (facts.isForBrowsers) return [browser(facts)]
  return makers.map(make => make(facts))
}
