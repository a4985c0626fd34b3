import t from 'tap'
import { createRoutes } from '../../src/http/routes.ts'
import { standIns } from '../http/stand-ins.ts'
import { documentPaths, readDocument } from './markdown.ts'

t.test('what tells of OpenTelemetry names the variables that are for logs only', async t => {
  const described = createRoutes(standIns().dependencies).flatMap(route =>
    route.path === '/api/v1/otlp/v1/logs' && 'about' in route ? [route.about.description] : [],
  )
  const texts = [readDocument('README.md'), readDocument('src/http/README.md'), ...described]
  t.equal(texts.length, 3)
  for (const text of texts) {
    t.match(text, 'OTEL_EXPORTER_OTLP_LOGS_ENDPOINT')
    for (const name of ['LOGS_HEADERS', 'LOGS_PROTOCOL']) t.match(text, name)
  }
  for (const text of [...texts, ...documentPaths().map(readDocument)]) {
    t.notMatch(text, /OTLP_(ENDPOINT|HEADERS|PROTOCOL)/, 'these are for traces and metrics, too')
  }
})
