import t from 'tap'
import { hasShape, textsOfShape } from '../../src/match/line-shape.ts'

t.test("lines are of a pattern as Loki's own tests have it (3.x, pattern_test.go)", async t => {
  const is = (pattern: string, line: string, expected: boolean) =>
    t.equal(hasShape(textsOfShape(pattern), line), expected, `${pattern} of ${line}`)

  is('foo <_> bar', 'foo buzz bar', true)
  is('foo <_> bar<_>', 'foo buzz bar', false)
  is('<_>foo <_> bar', 'foo buzz bar', false)
  is('<_> bar<_>', ' bar', false)
  is('<_>bar<_>', ' bar ', true)
  is('<_> bar<_>', ' bar ', false)
  is('<_>bar <_>', ' bar ', false)
  is('<_>', ' bar ', true)
  is('<_>?<_>', '/api/plugins/versioncheck?slugIn=a&grafanaVersion=7', true)
  is('<_>?<_>', '/api/plugins/status', false)
  is('<_> <_> [<_>] "<_> <_> <_>" <_>', '1.2.3.4 frank [10/Oct/2000] "GET /a HTTP/1.0" 200', true)
  is('<_> <_> [<_>] ', '2020-08-06T14:25:02Z 0 [Note] recovery : begin', false)
  is('<_>  [<_>]<_> in <_>.<_>', 'INFO  [Service Thread] ParNew GC in 248ms.  CMS', true)
  is('<_>][<_>] [<_>]', '[06:54][INFO] [1f60] update [report]', false)
  is('unicode <_> character', 'unicode 🤷 character', true)
  is('unicode ▶ <_>', 'unicode ▶ character', true)
  is('', '', true)
  is('', 'a', false)
  is('<_>', '', false)
})
