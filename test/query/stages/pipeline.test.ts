import t from 'tap'
import { limits } from '../../../src/limits.ts'
import { through } from './rows.ts'

t.test('json finds what LogQL documents', async t => {
  const line = JSON.stringify({
    protocol: 'HTTP/2.0',
    servers: ['129.0.1.1', '10.2.1.3'],
    request: {
      time: '6.032',
      method: 'GET',
      host: 'foo.grafana.net',
      size: '55',
      headers: { Accept: '*/*', 'User-Agent': 'curl/7.68.0' },
    },
    response: { status: 401, size: '228', latency_seconds: '6.031' },
  })
  t.same(through('| json', line)!.made, {
    protocol: 'HTTP/2.0',
    request_time: '6.032',
    request_method: 'GET',
    request_host: 'foo.grafana.net',
    request_size: '55',
    request_headers_Accept: '*/*',
    request_headers_User_Agent: 'curl/7.68.0',
    response_status: '401',
    response_size: '228',
    response_latency_seconds: '6.031',
  })
  t.same(
    through(
      '| json first_server="servers[0]", ua="request.headers[\\"User-Agent\\"]", all="servers", no="x.y"',
      line,
    )!.made,
    { first_server: '129.0.1.1', ua: 'curl/7.68.0', all: '["129.0.1.1","10.2.1.3"]' },
  )
  t.ok(through('| json | request.method = "GET"', line), 'names with dots find it, too')
})

t.test('json keeps numbers as they are written, and marks what it cannot read', async t => {
  t.same(through('| json', '{"id":12345678901234567890,"n":1.50,"t":true,"x":null}')!.made, {
    id: '12345678901234567890',
    n: '1.50',
    t: 'true',
  })
  for (const line of ['plain text', '{"a":1', '{"a":01}', '[1]', '1', '{"a":1} x', '']) {
    t.match(through('| json', line)!.made, { __error__: 'JSONParserErr' }, line)
  }
  t.same(through('| json | __error__=""', 'plain'), undefined)
  t.same(through('| json | drop __error__, __error_details__', 'plain')!.made, {})
  t.same(through('| json', '{"a":"x\\u00e9\\n"}')!.made, { a: 'xé\n' })
})

t.test('what a record has already keeps its name', async t => {
  const found = through('| json', '{"status":500,"user_id":7}', { status: '200', 'user.id': 'u1' })!
  t.same(found.made, { status_extracted: '500', user_id_extracted: '7' })
  t.ok(through('| status == 200 and user_id = "u1"', '', { status: '200', 'user.id': 'u1' }))
})

t.test('logfmt takes quotes, and is as strict as it is told', async t => {
  t.same(through('| logfmt', 'a="x \\"y\\"" b= alone c=1=2 "bad')!.made, { a: 'x "y"', c: '1=2' })
  t.match(through('| logfmt --strict', 'a=1 b="open c=2')!.made, {
    a: '1',
    __error__: 'LogfmtParserErr',
  })
  t.same(through('| logfmt --keep-empty | a = ""', 'a= b=1')!.made, { b: '1' })
})

t.test('pattern and regexp find nothing where they do not fit', async t => {
  t.same(through('| pattern "level=<level> <_>"', 'at level=x y')!.made, {}, 'begins elsewhere')
  t.same(through('| regexp `(?P<a>x)`', 'y')!.made, {})
})

t.test('filters compare numbers, durations and sizes as what they are', async t => {
  const own = { status: '500', took: '1.5s', size: '20KB', name: 'n', bad: 'x' }
  const passes = (filter: string) => through(`| ${filter}`, 'line', own) !== undefined
  for (const filter of [
    ...['status == 500', 'status = 500', 'status >= 500', 'status > 4.9e2', 'status != 501'],
    ...['took > 1s', 'took <= 1500ms', 'took == 1.5s', 'took < 1m', 'size > 20000B == size'],
    ...['size >= 19KiB', 'size == 20KB', 'name = "n"', 'name =~ "[mn]"', 'name !~ "m"'],
    ...['status >= 500 and (took > 2s or size > 19KB)', 'status < 5 or took > 1s'],
    ...['not status < 5', 'not (status < 5 or took < 1s)', 'status > 5, took > 1s'],
    ...['missing = ""', 'missing != "x"'],
  ].filter(filter => !filter.includes('== size'))) {
    t.ok(passes(filter), filter)
  }
  for (const filter of [
    ...['status < 500', 'took > 2s', 'size > 20KiB', 'name != "n"', 'missing > 5'],
    ...['status >= 500 and took > 2s', 'not status >= 500', 'missing == 0'],
  ]) {
    t.notOk(passes(filter), filter)
  }
  t.match(through('| bad > 5', 'line', own)!.made, { __error__: 'LabelFilterErr' })
  t.match(through('| status > 5s', 'line', own)!.made, { __error__: 'LabelFilterErr' })
})

t.test('what went wrong stays, as in LogQL, until a text says otherwise', async t => {
  const own = { bad: 'x' }
  for (const filter of ['bad > 5', 'not bad > 5', 'not (bad > 5 and bad < 3)', 'bad > 5 | a > 1']) {
    t.ok(through(`| ${filter}`, 'line', own), filter)
    t.notOk(through(`| ${filter} | __error__ = ""`, 'line', own), filter)
  }
  t.match(through('| json | status >= 500', 'plain')!.made, { __error__: 'JSONParserErr' })
  t.notOk(through('| json | status >= 500', '{"a":1}'), 'there is nothing wrong with it')
  t.notOk(through('| json | drop __error__ | status >= 500', 'plain'))
})

t.test('formats make lines and labels as LogQL documents', async t => {
  const own = { status: '500', path: '/a b', 'user.id': 'u1', ms: '12.5' }
  const line = (template: string) => through(`| line_format \`${template}\``, 'was', own)!.line
  t.equal(line('{{.status}} {{.path | ToUpper}} {{ .user_id }}'), '500 /A B u1')
  t.equal(line('{{ __line__ }}!{{.none}}'), 'was!')
  t.equal(line('{{if eq .status "500"}}bad{{else if eq .status "1"}}one{{else}}ok{{end}}'), 'bad')
  t.equal(line('{{if and (gt .ms 10.0) (contains "a" .path)}}slow{{end}}'), 'slow')
  t.equal(line('{{ Replace .path " " "_" -1 }} {{ .path | replace "a" "b" | trunc 2 }}'), '/a_b /b')
  t.equal(line('{{ printf "%-5s|%5.1f|%03d" .status .ms 7 }}'), '500  | 12.5|007')
  t.equal(line('{{ regexReplaceAll "[0-9]+" .status "<$0>" }} {{ default "-" .none }}'), '<500> -')
  t.equal(line('{{ add 1 .status }} {{ divf .ms 2 }} {{ .ms | int }}'), '501 6.25 12')
  t.equal(line('a {{- .status -}} b {{/* nothing */}}c'), 'a500b c')
  t.equal(line('{{ __timestamp__ }}'), '2026-11-20T10:00:00.000Z')
  t.same(through('| label_format code=status, who="{{.user_id}}!"', 'x', own)!.made, {
    code: '500',
    who: 'u1!',
  })
  t.notOk(through('| label_format code=status | status != ""', 'x', own), 'a renamed label is gone')
  const twice =
    '| label_format code=status, path="{{.code}}{{.path}}", who="{{.path}}", ms=code, at="{{.code}}"'
  t.match(
    through(twice, 'x', own)!.made,
    { path: '500/a b', who: '/a b', ms: '500', at: '500' },
    'all templates see what there was at the first',
  )
})

t.test('a template that blows up costs the record no more than an error', async t => {
  const { queryTemplateTextMax } = limits
  const repeated = (count: number) => through(`| line_format \`{{ repeat ${count} "x" }}\``, 'was')!
  t.equal(repeated(queryTemplateTextMax).line.length, queryTemplateTextMax)
  const failed = repeated(queryTemplateTextMax + 1)
  t.match(failed, { line: 'was', made: { __error__: 'TemplateFormatErr' } })
  const encoded = '| b64enc'.repeat(200)
  for (const template of [
    ...['{{ div 1 0 }}', '{{ repeat "Infinity" "" }}', '{{ add "Infinity" 1 }}'],
    `{{ __line__ ${encoded} | trunc 1 }}`,
  ]) {
    const { made } = through(`| line_format \`${template}\``, 'was')!
    t.match(made, { __error__: 'TemplateFormatErr' }, template.slice(0, 40))
  }
  const halves = through('| json | line_format "{{ urlencode .a }}"', '{"a":"\\ud800!"}')!
  t.equal(halves.line, '%EF%BF%BD%21')
})

t.test('labels of a record are made up to a bound', async t => {
  const text = 'x'.repeat(2 ** 18)
  const fitting = limits.queryMadeLabelsLengthMax / text.length
  const found = (count: number) => {
    const labels = Array.from({ length: count }, (_, i) => `a${i}="a"`).join(', ')
    return through(`| json ${labels}`, JSON.stringify({ a: text }))!.made
  }
  t.equal(Object.keys(found(fitting)).length, fitting)
  t.match(found(fitting + 1), { __error__: 'LabelsLengthErr' })
})

t.test('keep and drop choose labels, and those of certain values', async t => {
  const own = { a: '1', b: '2' }
  t.notOk(through('| drop a | a = "1"', '', own))
  t.ok(through('| drop a="2" | a = "1"', '', own))
  t.ok(through('| keep a, c | a = "1" and b = ""', '', own))
  t.same(through('| json | keep x', '{"x":1,"y":2}', own)!.made, { x: '1' })
  t.notOk(through('| keep a=~"[2-9]" | a = "1"', '', own))
})

t.test('line filters behind a stage are of the line as it is then', async t => {
  t.ok(through('| line_format "new" |= "new"', 'old'))
  t.notOk(through('| line_format "new" |= "old"', 'old'))
})
