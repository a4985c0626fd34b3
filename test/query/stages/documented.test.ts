/**
 * The examples of Loki's documentation (3.x, `docs/sources/query/` of grafana/loki: `log_queries`,
 * `query_examples.md`, `template_functions.md`), each with the result that it states there. What it says
 * of lines is asked of single records; what it only shows as a query must be read.
 */
import t from 'tap'
import { parseQuery } from '../../../src/language/grammar.ts'
import { printQuery } from '../../../src/language/print.ts'
import { problemOf } from '../problem-of.ts'
import { through } from './rows.ts'

t.test('parsers find what log_queries states', async t => {
  const finds = (stages: string, line: string, made: Record<string, string>) =>
    t.same(through(stages, line)?.made, made, stages)

  finds('| json', '{ "a.b": {"c": "d"}, "e": "f" }', { a_b_c: 'd', e: 'f' })
  const request = '{"servers":["129.0.1.1","10.2.1.3"],"request":{"headers":{"Accept":"*/*"}}}'
  finds('| json server_list="servers", headers="request.headers"', request, {
    server_list: '["129.0.1.1","10.2.1.3"]',
    headers: '{"Accept":"*/*"}',
  })
  finds('| json servers', request, { servers: '["129.0.1.1","10.2.1.3"]' })

  const pairs =
    'at=info method=GET path=/ host=grafana.net fwd="124.133.124.161" connect=4ms service=8ms status=200'
  finds('| logfmt', pairs, {
    at: 'info',
    method: 'GET',
    path: '/',
    host: 'grafana.net',
    fwd: '124.133.124.161',
    connect: '4ms',
    service: '8ms',
    status: '200',
  })
  finds('| logfmt host, fwd_ip="fwd"', pairs, { host: 'grafana.net', fwd_ip: '124.133.124.161' })

  const nginx =
    '0.191.12.2 - - [10/Jun/2021:09:14:29 +0000] "GET /api/plugins/versioncheck HTTP/1.1" 200 2 "-" "Go-http-client/2.0" "13.76.247.102, 34.120.177.193" "TLSv1.2" "US" ""'
  finds('| pattern `<ip> - - <_> "<method> <uri> <_>" <status> <size> <_> "<agent>" <_>`', nginx, {
    ip: '0.191.12.2',
    method: 'GET',
    uri: '/api/plugins/versioncheck',
    status: '200',
    size: '2',
    agent: 'Go-http-client/2.0',
  })
  finds(
    '| pattern `<_> msg="<method> <path> (<status>) <latency>"`',
    'level=debug caller=logging.go:66 msg="POST /loki/api/v1/push (204) 16.652862ms"',
    { method: 'POST', path: '/loki/api/v1/push', status: '204', latency: '16.652862ms' },
  )
  const expression =
    '| regexp "(?P<method>\\\\w+) (?P<path>[\\\\w|/]+) \\\\((?P<status>\\\\d+?)\\\\) (?P<duration>.*)"'
  const asked = {
    method: 'POST',
    path: '/api/prom/api/v1/query_range',
    status: '200',
    duration: '1.5s',
  }
  finds(expression, 'POST /api/prom/api/v1/query_range (200) 1.5s', asked)
  t.match(
    through(
      `| logfmt | line_format "{{.msg}}" ${expression}`,
      'level=debug caller=logging.go:66 msg="POST /api/prom/api/v1/query_range (200) 1.5s"',
    )?.made,
    asked,
    'several parsers',
  )
  const packed = '{"container":"myapp","pod":"pod-3223f","_entry":"original log message"}'
  t.same(through('| unpack', packed), {
    line: 'original log message',
    made: { container: 'myapp', pod: 'pod-3223f' },
  })
})

t.test('labels are kept and dropped as log_queries states', async t => {
  const line =
    '{"level": "info", "method": "GET", "path": "/", "host": "grafana.net", "status": "200"}'
  const post = line.replace('GET', 'POST')
  const leaves = (stages: string, of: string, made: Record<string, string>) =>
    t.same(through(stages, of)?.made, made, stages)

  leaves('|json|drop level, method="GET"', line, { host: 'grafana.net', path: '/', status: '200' })
  leaves('|json|drop __error__, __error_details__', 'INFO GET / loki.net 200', {})
  leaves('|json|keep level, method="GET"', line, { level: 'info', method: 'GET' })
  leaves('|json|keep level, method="GET"', post, { level: 'info' })
  const app = (name: string) => line.replace('{', `{"app": "${name}", `)
  leaves('|json|drop level, path, app=~"some-api.*"', app('some-api-service'), {
    host: 'grafana.net',
    method: 'GET',
    status: '200',
  })
  leaves('|json|keep level, tenant, app=~"some-api.*"', app('some-api-service'), {
    app: 'some-api-service',
    level: 'info',
  })
  leaves('|json|keep level, tenant, app=~"some-api.*"', app('other-service'), { level: 'info' })
})

t.test('lines become what log_queries and query_examples state', async t => {
  const becomes = (stages: string, line: string, expected: string) =>
    t.equal(through(stages, line)?.line, expected, stages)

  becomes(
    '| logfmt | line_format "{{.ip}} {{.status}} {{div .duration 1000}}"',
    'ip=1.1.1.1 status=200 duration=3000',
    '1.1.1.1 200 3',
  )
  becomes(
    '| decolorize',
    '[2022-11-04 22:17:57.811] \u001b[0;32mhttp\u001b[0m: GET /_health (0 ms) 204',
    '[2022-11-04 22:17:57.811] http: GET /_health (0 ms) 204',
  )
  becomes(
    [
      '|= "metrics.go" != "loki-canary" | logfmt | query != ""',
      '| label_format query="{{ Replace .query \\"\\\\n\\" \\"\\" -1 }}"',
      '| line_format "{{ .ts}}\\t{{.duration}}\\ttraceID = {{.traceID}}\\t{{ printf \\"%-100.100s\\" .query }} "',
    ].join(' '),
    'level=info ts=2020-10-23T20:32:18.094668233Z caller=metrics.go:81 traceID=1980d41501b57b68 query="{cluster=\\"ops-tools1\\", job=\\"loki-ops/query-frontend\\"} |= \\"query_range\\"" duration=650.22401ms',
    `2020-10-23T20:32:18.094668233Z\t650.22401ms\ttraceID = 1980d41501b57b68\t${'{cluster="ops-tools1", job="loki-ops/query-frontend"} |= "query_range"'.padEnd(100)} `,
  )
})

t.test('template functions give what template_functions states', async t => {
  const gives = (template: string, expected: string) => {
    const stages = `| line_format \`${template}\``
    t.equal(through(stages, 'XYZ and XYZ', { path: '/a b/c' })?.line, expected, template)
  }
  gives('{{ .path | replace " " "_" | trunc 5 | upper }}', '/A_B/')
  gives('{{ if and (contains "he" "hello") (contains "llo" "hello") }} yes {{end}}', ' yes ')
  gives(
    '{{ if contains "x" "y" }} a {{else if contains "he" "hello"}} yes {{else}} no {{end}}',
    ' yes ',
  )
  gives('{{ __line__ | lower }}', 'xyz and xyz')
  gives('{{ alignLeft 5 "hello world"}}', 'hello')
  gives('{{ alignLeft 5 "hi"}}', 'hi   ')
  gives('{{ alignRight 5 "hello world"}}', 'world')
  gives('{{ alignRight 5 "hi"}}', '   hi')
  gives('{{ default "-" "" }}', '-')
  gives('{{ default "-" "foo" }}', 'foo')
  gives('{{ lower "HELLO"}}', 'hello')
  gives('{{ repeat 3 "hello" }}', 'hellohellohello')
  gives('{{ printf "The IP address was %s" "129.168.1.1" }}', 'The IP address was 129.168.1.1')
  gives(
    '{{ printf "%-10.10s" "/id/609259548/hpr.html" }}|{{ printf "%-5.5s" "GET" }}',
    '/id/609259|GET  ',
  )
  gives('{{ printf "%.200f" "0.5" | len }}', '102')
  gives('{{ replace "hello" "world" "hello world" }}', 'world world')
  gives('{{ substr 0 5 "hello world"}}', 'hello')
  gives('{{ substr 6 11 "hello world"}}', 'world')
  gives('{{ title "hello world"}}', 'Hello World')
  gives('{{ trim "   hello    " }}', 'hello')
  gives('{{ trimAll "$" "$5.00" }}', '5.00')
  gives('{{ trimPrefix "-" "-hello" }}', 'hello')
  gives('{{ trimSuffix "-" "hello-" }}', 'hello')
  gives('{{ trunc 5 "hello world"}}', 'hello')
  gives('{{ trunc -5 "hello world"}}', 'world')
  gives('{{ upper "hello"}}', 'HELLO')
  gives('{{ if eq "hello" "hello" }} yes {{end}}', ' yes ')
  gives('{{ if hasPrefix "he" "hello" }} yes {{end}}', ' yes ')
  gives('{{ add 3 2 5 }}', '10')
  gives('{{ addf 3.5 2 5 }}', '10.5')
  gives('{{ ceil 123.001 }}', '124')
  gives('{{ div 10 2}}', '5')
  gives('{{ divf 10 2 4}}', '1.25')
  gives('{{ "3.5" | float64 }}', '3.5')
  gives('{{ floor 123.9999 }}', '123')
  gives('{{ "3" | int }}', '3')
  gives('{{ max 1 2 3 }}', '3')
  gives('{{ maxf 1 2.5 3 }}', '3')
  gives('{{ min 1 2 3 }}', '1')
  gives('{{ minf 1 2.5 3 }}', '1')
  gives('{{ mul 5 2 3}}', '30')
  gives('{{ mulf 5.5 2 2.5 }}', '27.5')
  gives('{{ mod 10 3}}', '1')
  gives('{{ round 123.555555 3 }}', '123.556')
  gives('{{ round 123.88571428571 5 .2 }}', '123.88572')
  gives('{{ round 123.88571428571 5 }}', '123.88571')
  gives('{{ sub 5 2 }}', '3')
  gives('{{ subf  5.5 2 1.5 }}', '2')
  gives('{{ count "a|b" "abab" }}', '4')
  gives('{{ count "o" "foo" }}', '2')
  gives('{{ __line__ | count "XYZ"}}', '2')
  gives(`{{ regexReplaceAll "(a*)bc" "aabc" "\${1}a" }}`, 'aaa')
  gives('{{ regexReplaceAllLiteral "(ts=)" "ts=5" "timestamp=" }}', 'timestamp=5')
  gives('{{ "1m30s" | duration }} {{ duration_seconds "250ms" }}', '90 0.25')
  gives('{{ bytes "2 KiB" }}', '2048')
  gives(
    '{{ __timestamp__ | unixEpoch }} {{ unixEpochMillis __timestamp__ }}',
    '1795168800 1795168800000',
  )
})

t.test('addresses are found as ip.md states', async t => {
  const lines = [
    '3.180.71.3 - - [17/May/2015:08:05:32 +0000] "GET /downloads/product_1 HTTP/1.1" 304 0',
    '192.168.4.5 - - [17/May/2015:08:05:32 +0000] "GET /downloads/product_1 HTTP/1.1" 304 0',
    'addr=192.168.4.20:8080 ok',
    'level=info addr=192.168.10.1 from [2001:db8::7:1]:443',
    '12:34:56 1.2.3 999.1.1.1 no address',
  ]
  const found = (asked: string) => lines.flatMap((line, i) => (through(asked, line) ? i : []))
  t.same(found('|= ip("192.168.4.5")'), [1])
  t.same(found('|= ip("192.168.4.5-192.168.4.20")'), [1, 2])
  t.same(found('|= ip("192.168.4.5/16")'), [1, 2, 3])
  t.same(found('|= ip("192.168.4.5/32")'), [1])
  t.same(found('|= ip("0.0.0.0/0")'), [0, 1, 2, 3])
  t.same(found('!= ip("192.168.4.5/16")'), [0, 4])
  t.same(found('|= ip("2001:DB8::/32")'), [3])
  t.same(found('|= ip("2001:db8:0:0:0:0:7:0-2001:db8::7:f")'), [3])
  t.same(found('|= ip("::ffff:1.2.3.4")'), [])
  const asked = '| logfmt | addr = ip("192.168.4.5/16")'
  t.ok(through(asked, 'addr=192.168.4.0'))
  t.notOk(through(asked, 'addr=193.168.4.0'))
  t.notOk(through(asked, 'other=192.168.4.0'), 'without the label')
  t.notOk(through(asked.replace('=', '!='), 'other=1.1.1.1'), 'nor is anything said of it')
  t.ok(through(asked.replace('addr =', 'addr !='), 'addr=193.168.4.0'))
  t.notOk(through(asked.replace('addr =', 'addr !='), 'addr=192.168.4.0'))
})

t.test(
  'all queries that the documentation shows are read, and printed as what they are',
  async t => {
    for (const query of [
      '{container="query-frontend",namespace="loki-dev"} |= "metrics.go" | logfmt | duration > 10s and throughput_mb < 500',
      '{name !~ `mysql-\\d+`}',
      '{instance=~"kafka-[23]",name="kafka"} != "kafka.server:type=ReplicaManager"',
      '{name="cassandra"} |~  `error=\\w+`',
      '{job="mysql"} | json | line_format "{{.message}}" |= "error"',
      '{} | logfmt | duration >= 20ms or size == 20KB and method!~"2.."',
      '{} | logfmt | duration >= 20ms or (method="GET" and size <= 20KB)',
      '{} | logfmt --keep-empty --strict host',
      '{} | label_format foo=bar | label_format foo="new"',
      'sum by (host) (rate({job="mysql"} |= "error" != "timeout" | json | duration > 10s [1m]))',
      'count_over_time({job="mysql"}[5m] offset 5m)',
      'quantile_over_time(0.99, {cluster="ops-tools1",container="ingress-nginx"} | json | __error__ = "" | unwrap request_time [1m]) by (path)',
      'sum by (org_id) (sum_over_time({cluster="ops-tools1"} |= "metrics.go" | logfmt | unwrap bytes_processed [1m]))',
      'topk(10,sum(rate({region="us-east1"}[5m])) by (name))',
      'sum(count_over_time({job="mysql"}[5m])) by (level)',
      'avg(rate(({job="nginx"} |= "GET" | json | path="/home")[10s])) by (region)',
      'sum(count_over_time({namespace="traefik"}[5m])) or vector(0)',
      '{job_name="myapp"} |= ip("192.168.4.5/16")',
      '{job_name="myapp"} != ip("192.168.4.5-192.168.4.20") | logfmt | addr != ip("::1")',
      'rate_counter({job="a"} | json | unwrap total [5m])',
      'approx_topk(3, sum by (a) (rate({b="c"}[5m])))',
      '{} | line_format `{{ date "2006-01-02" now }}`',
      '{job="loki/querier"} | label_format nowEpoch=`{{(unixEpoch now)}}`,createDateEpoch=`{{unixEpoch (toDate "2006-01-02" .createDate)}}` | label_format dateTimeDiff=`{{sub .nowEpoch .createDateEpoch}}` | dateTimeDiff > 86400',
      '{} | json | line_format `from="{{date "2006-01-02" (unixToTime .from)}}"`',
      '{} | line_format `{{ .foo | toDateInZone "2006-01-02T15:04:05.999999999Z" "UTC" | unixEpochNanos }}`',
      '{} | duration >= 20ms or size == 20KB  method!~"2.."',
      '{app="foo"} # anything that comes after will not be interpreted in your query',
      '{app="foo"}\n    | json\n    # this line will be ignored\n    | bar="baz" # this checks if bar = "baz"',
    ]) {
      const read = parseQuery(query)
      t.same(parseQuery(printQuery(read)), read, query)
    }
  },
)

t.test('what is not taken is refused where it stands', async t => {
  for (const [query, at] of [
    ['{job_name="myapp"} |~ ip("192.168.4.5")', 22],
    ['{job_name="myapp"} | logfmt | addr = ip("192.168.4.5/33")', 40],
    ['{job_name="myapp"} |= ip("192.168.4")', 25],
    ['{job_name="myapp"} |= ip("::2-::1")', 25],
    ['{} | line_format `{{ range $q := fromJson .queries }} {{ $q.query }} {{ end }}`', 17],
    ['{} | label_format foo=bar,foo="new"', 26],
    ['{} | label_format __error__=bar', 18],
  ] as const) {
    t.match(problemOf(query).message, `at line 1, column ${at + 1}`, query)
  }
})
