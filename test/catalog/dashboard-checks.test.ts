import t, { type Test } from 'tap'
import { writeDashboard } from '../../src/catalog/dashboard-text.ts'
import { limits } from '../../src/limits.ts'

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

const takes = (t: Test, dashboard: unknown) =>
  t.doesNotThrow(() => writeDashboard(dashboard), JSON.stringify(dashboard).slice(0, 80))
const refuses = (t: Test, dashboard: unknown, field: string) =>
  t.throws(() => writeDashboard(dashboard), { code: 'field_invalid', extras: { field } })

t.test('every part of a dashboard may be absent', async t => {
  takes(t, {})
  takes(t, { settings: {}, metadata: {}, content: {} })
  takes(t, { content: { variables: [], widgets: [] } })
  takes(t, { content: { variables: [{}] } })
})

t.test('what published clients send is taken', async t => {
  takes(t, {
    settings: { hideGlobalEnvironmentSelector: true, defaultTimeRange: '1h' },
    metadata: { id: 'a.B_c-9', title: '', folderPath: '/dashboards/team a/' },
    content: {
      title: 'Overview',
      variables: [
        {
          name: 'service',
          defaultValue: '*',
          overridable: false,
          selectorSettings: { metricName: 'm', attribute: 'service.name' },
        },
        { name: 'pod', selector: { dynamic: { selectorQueries: ['x'], attributeKey: 'pod' } } },
      ],
      widgets: [
        {
          type: 'group',
          position: { type: 'absolute', absolute: { x: 0, y: 0, w: 12, h: 4 } },
          group: { widgets: [{ type: 'markdown', markdown: { content: '# Hi' } }] },
        },
        { type: 'not known here' },
        null,
      ],
    },
  })
})

t.test('a field of the wrong type is refused with its path', async t => {
  refuses(t, undefined, 'dashboard')
  refuses(t, null, 'dashboard')
  refuses(t, [], 'dashboard')
  refuses(t, 'dashboard', 'dashboard')
  refuses(t, rawJSON('12345678901234567890'), 'dashboard')
  refuses(t, { settings: 1 }, 'dashboard.settings')
  refuses(t, { settings: rawJSON('12345678901234567890') }, 'dashboard.settings')
  refuses(t, { metadata: 'x' }, 'dashboard.metadata')
  refuses(t, { content: [] }, 'dashboard.content')

  const settings = 'dashboard.settings'
  refuses(
    t,
    { settings: { hideGlobalEnvironmentSelector: 'true' } },
    `${settings}.hideGlobalEnvironmentSelector`,
  )
  refuses(t, { settings: { defaultTimeRange: 3600 } }, `${settings}.defaultTimeRange`)
  refuses(t, { metadata: { title: 1 } }, 'dashboard.metadata.title')
  refuses(t, { metadata: { id: 1 } }, 'dashboard.metadata.id')

  const content = 'dashboard.content'
  refuses(t, { content: { title: {} } }, `${content}.title`)
  refuses(t, { content: { widgets: {} } }, `${content}.widgets`)
  refuses(t, { content: { variables: {} } }, `${content}.variables`)
  const refusesVariable = (variable: unknown, path: string) =>
    refuses(t, { content: { variables: [{}, variable] } }, `${content}.variables[1]${path}`)
  refusesVariable(null, '')
  refusesVariable({ name: 1 }, '.name')
  refusesVariable({ defaultValue: false }, '.defaultValue')
  refusesVariable({ overridable: 'yes' }, '.overridable')
  refusesVariable({ selectorSettings: 'm' }, '.selectorSettings')
  refusesVariable({ selectorSettings: { metricName: 1 } }, '.selectorSettings.metricName')
  refusesVariable({ selectorSettings: { attribute: [] } }, '.selectorSettings.attribute')
})

t.test('an id is 1 to 128 letters, digits, ".", "_", "-"', async t => {
  const takesId = (id: string) => takes(t, { metadata: { id } })
  const refusesId = (id: string) => refuses(t, { metadata: { id } }, 'dashboard.metadata.id')

  takesId('a')
  takesId('...')
  takesId('.a')
  takesId('__proto__')
  takesId('0190f3a2-7a2b-7c3d-8e4f-5a6b7c8d9e0f')
  takesId('x'.repeat(128))
  refusesId('')
  refusesId('.')
  refusesId('..')
  refusesId('a b')
  refusesId('a/b')
  refusesId('a\n')
  refusesId('ä')
  refusesId('x'.repeat(129))
})

t.test('a folder path starts and ends with "/" and has proper segments', async t => {
  const takesPath = (folderPath: string) => takes(t, { metadata: { folderPath } })
  const refusesPath = (folderPath: string) =>
    refuses(t, { metadata: { folderPath } }, 'dashboard.metadata.folderPath')

  takesPath('/')
  takesPath('/a/')
  takesPath('/dashboards/Größe 1/.hidden/a..b/.../')
  refusesPath('')
  refusesPath('a')
  refusesPath('/a')
  refusesPath('a/')
  refusesPath('//')
  refusesPath('/a//b/')
  refusesPath('/../')
  refusesPath('/a/../b/')
  refusesPath('/./')
})

t.test('a default time range is a duration', async t => {
  const takesRange = (range: string) => takes(t, { settings: { defaultTimeRange: range } })
  const refusesRange = (range: string) =>
    refuses(t, { settings: { defaultTimeRange: range } }, 'dashboard.settings.defaultTimeRange')

  takesRange('15m')
  takesRange('1h')
  takesRange('7d')
  takesRange('1h30m')
  takesRange('1h0m')
  takesRange('500ms')
  takesRange('1y2w3d4h5m6s7ms')
  refusesRange('')
  refusesRange('15')
  refusesRange('m')
  refusesRange('0m')
  refusesRange('1.5h')
  refusesRange('-1h')
  refusesRange('1 h')
  refusesRange('1H')
  refusesRange('last hour')
  refusesRange(`${'1m'.repeat(500_000)}!`)
})

t.test('a dashboard may be as large as the limit, counted in bytes, and no larger', async t => {
  const metadata = { id: 'large', folderPath: '/' }
  const empty = JSON.stringify({ metadata, text: '' }).length
  const fitting = 'x'.repeat(limits.dashboardBytesMax - empty)
  takes(t, { metadata, text: fitting })
  const refusesText = (text: string) =>
    t.throws(() => writeDashboard({ metadata, text }), { code: 'body_too_large' })
  refusesText(`${fitting}x`)
  refusesText(`${fitting.slice(1)}ä`)
})

t.test('a dashboard may be nested as deep as the limit, and no deeper', async t => {
  const nested = (depth: number, innermost: unknown = {}) => {
    let value = innermost
    for (let at = 1; at < depth; at += 1) {
      value = at % 2 === 0 ? { group: value } : [value]
    }
    return { content: { widgets: value } }
  }
  const depth = limits.dashboardDepthMax - 2 // Below `dashboard` and `content`.
  takes(t, nested(depth))
  takes(t, nested(depth, { id: rawJSON('12345678901234567890') }))
  const refusesDepth = (dashboard: unknown) =>
    t.throws(() => writeDashboard(dashboard), { code: 'json_too_deep' })
  refusesDepth(nested(depth + 1))
  refusesDepth(nested(1_000_000))
})

t.test('null in an optional field is as if the field were absent, and is not stored', async t => {
  const metadata = { id: null, title: null, folderPath: '/a/' }
  const content = { title: null, variables: [{ name: 'a', defaultValue: null }], widgets: [null] }
  const { id, text } = writeDashboard({ settings: null, metadata, content, own: null })
  t.match(id, /^[0-9a-f-]{36}$/)
  t.same(JSON.parse(text), {
    metadata: { id, folderPath: '/a/' },
    content: { variables: [{ name: 'a' }], widgets: [null] },
    own: null,
  })
})
