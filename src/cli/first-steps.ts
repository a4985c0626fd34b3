/** What the service prints when it is up: after the first start, all that a newcomer needs. */

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
