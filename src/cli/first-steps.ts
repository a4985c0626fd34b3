/** What the service prints when it is up: after the first start, all that a newcomer needs. */

import { pastMs } from '../demo/demo.ts'
import { hourMs } from '../time-units.ts'

/** `newAdminKey`: the key that this start made; undefined on every later start. */
export function firstSteps(url: string, newAdminKey: string | undefined): string {
  if (newAdminKey === undefined) return ''
  return `
This is the first start, so an admin key was made. It is shown only now; keep it:

  ${newAdminKey}

Paste this to make an ingestion token, send an event and query it back:

  KEY=${newAdminKey}
  TOKEN=$(curl -s ${url}/api/v1/settings/ingestion-tokens \\
    -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d '{"serviceName":"checkout","environment":"dev"}' | sed 's/.*"token":"\\([^"]*\\)".*/\\1/')
  curl -s ${url}/api/v1/webhook/event/log \\
    -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' \\
    -d '{"level":"error","message":"payment timed out","order":81723}'
  curl -s ${url}/api/v1/query/logs \\
    -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d '{"query":"count(logs{service.name=\\"checkout\\"})","startTime":0,"endTime":4102444800000}'

All settings: npm start -- --help
`
}

/** What `--demo` does, and how to be rid of it. */
export function demoNotice(url: string): string {
  return `
Demo: the service sends itself events of a made-up shop (environments demo and demo-staging), the last
${pastMs / hourMs} hours first unless they are there already, and its own log (environment self).

  Look at them: ${url}
  Stop it:      start without --demo. What was sent stays, as any record does; the tokens that it uses
                are listed under Settings and can be deleted. A --data-dir of its own keeps it apart.
`
}
