/** The groups of operations, in the order in which the page shows them. */

export const tags = {
  Events: 'Send events; each becomes one log record.',
  Senders:
    'What shippers and log libraries of other services send to, as they are: each in its own protocol.',
  Queries: 'Ask for records, their number, and numbers computed from them.',
  Exploring: 'What people and completion look around with: fields, values, neighbours.',
  Streams: 'Follow records as they arrive, or take a whole result away.',
  Prometheus: "Prometheus' HTTP API over logs, so that Grafana and its like can draw them.",
  Loki: "Loki's HTTP API over logs: Grafana's stock Loki data source, Logs Drilldown and logcli.",
  Alerts: 'Rules that are evaluated on what is stored, how they stand, and who is told.',
  Assistants: 'The Model Context Protocol: what language models ask, and with which tools.',
  Dashboards: 'What the page draws: stored, listed and given back as it was sent.',
  Settings: 'Ingestion tokens and API keys, for admins; how storage stands.',
  Session: 'Signing in to the page: an API key is exchanged for a cookie.',
  Service: 'For whoever watches over the service, and this description of it.',
  Page: 'The page for people. Its paths all give the same HTML.',
} as const

export type Tag = keyof typeof tags
