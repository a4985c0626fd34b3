/**
 * The rules are frozen: ids of patterns stand in alerts, and must be the same in a year. What fails here
 * is to be taken back, or to be a new version of the rules (`patternIdPrefix`).
 */
import t from 'tap'
import { patternOfMessage } from '../../../src/columns/patterns/message-pattern.ts'

const golden: readonly [message: string, text: string, id: string][] = [
  ['', '', 'p1-e3b0c44298fc1c14'],
  ['done', 'done', 'p1-a4c3ed04a95a3da1'],
  ['user anna came', 'user <*> came', 'p1-19554dadc6558e49'],
  ['User unknown', 'User unknown', 'p1-ecf9b13ee51326fd'],
  ['username: bob logged in', 'username: bob logged in', 'p1-080a2349f216f7f8'],
  ['took 12 ms', 'took <*> ms', 'p1-2ca1cb43c2874728'],
  ['id deadbeefcafe', 'id <*>', 'p1-469b3087d56cf1b5'],
  ["can't open 'a b'", "can't open '<*>'", 'p1-b79582443d2ec1b8'],
  ['`x` failed', '`<*>` failed', 'p1-78e31e8c953043a9'],
  ['“x” failed', '“<*>” failed', 'p1-6b5ead45503ec95c'],
  ['from fe80::1:abcd port 22', 'from <*> port <*>', 'p1-8461827447a635a6'],
  ['mac 00:1a:2b:3c:4d:5e up', 'mac <*> up', 'p1-12e6cfe130b9b38b'],
  ['mail to jane.doe@example.org', 'mail to <*>', 'p1-115629d479bb2ae8'],
  ['GET https://a.example/b?c=d 200', 'GET <*>', 'p1-420c7ed940073436'],
  ['open /etc/passwd: denied', 'open <*>: denied', 'p1-b5b03fb6ffe652a8'],
  ['C:\\Temp\\x.txt missing', '<*> missing', 'p1-31a166a739d97481'],
  ['a=x b=y c=', 'a=<*> b=<*> c=<*>', 'p1-f9aec1d120024999'],
  ['event=login user=bob ok', 'event=login user=<*> ok', 'p1-60b39ca075693e23'],
  ['key:value, other:1', 'key:<*>, other:<*>', 'p1-fe0c702cbc17f699'],
  ['[Sun Dec 04 04:47:44 2005] x', '[<*>] x', 'p1-8275eb1dffe267d5'],
  ['at 4 Dec 2005 3 PM', 'at <*>', 'p1-fad0208bb280ebe6'],
  ['Mon, 4 x', '<*> x', 'p1-0959879a33dd262b'],
  ['host ns.example.com and a.b.co.uk', 'host <*> and <*>', 'p1-a684e36b54862e17'],
  [
    'Failed password for root from 1.2.3.4',
    'Failed password for <*> from <*>',
    'p1-1b63449c029fbacd',
  ],
  ['session opened by root(uid=0)', 'session opened by <*>(uid=<*>)', 'p1-5177a8049c1e0584'],
  ['ids 1, 2, 3', 'ids <*>', 'p1-07cb5c8d3d204d2c'],
  ['blk_1 blk_2', 'blk_<*>', 'p1-58be614dde192d5e'],
  ['pod checkout-7d9f8b6c5-x2x4z', 'pod checkout-<*>', 'p1-437ff2d42b5cefc3'],
  [
    '{"a":1,"b":"x","msg":"took 1 ms"}',
    '{"a":<*>,"b":<*>,"msg":"took <*> ms"}',
    'p1-b8cf9ddef5e7e6ea',
  ],
  ['{"a":[true,null],"c":[]}', '{"a":[<*>],"c":[<*>]}', 'p1-a856bdf968ef2e85'],
  ['\u001b[31merror\u001b[0m 1', '<*>', 'p1-b52a85c929f6f5a4'],
  ['a  b\t1', 'a b <*>', 'p1-8854c937caee62a9'],
  ['Grüße 7 größe', 'Grüße <*> größe', 'p1-87e2edad16434cad'],
  ['first\nsecond 2', 'first <*>', 'p1-b5c7144a7bef0103'],
  ['+5 -3', '<*>', 'p1-b52a85c929f6f5a4'],
  ['x="y z" "q"', 'x=<*> "<*>"', 'p1-fc8ac9f48b6cd4a1'],
  ['a|b, 1; 2', 'a|b, <*>', 'p1-db30ef55127ef76b'],
  ['dir/a/b/c here', '<*> here', 'p1-2f30207b48b9dd7f'],
  ['fe80::1, ::1', '<*>', 'p1-b52a85c929f6f5a4'],
  ['MAY 5', 'MAY <*>', 'p1-3f01a8b00f55742c'],
  ['May 5', '<*>', 'p1-b52a85c929f6f5a4'],
  ['{"x":1},{"x":2}', '{"x":<*>}', 'p1-67d50df21e712727'],
  ['a-1,a-2', 'a-<*>,a-<*>', 'p1-9303e1bea443a659'],
  ['msg="took 1" n=2', 'msg="took <*>" n=<*>', 'p1-393b4452f2767b67'],
]

t.test('messages have the patterns that they have always had', async t => {
  for (const [message, text, id] of golden) {
    const pattern = patternOfMessage(message)
    t.strictSame({ id: pattern.id, text: pattern.text }, { id, text }, message)
  }
})

t.test('messages that differ in little are of one pattern', async t => {
  const areOne = (...messages: string[]) => {
    const texts = new Set(messages.map(message => patternOfMessage(message).text))
    t.equal(texts.size, 1, [...texts].join(' / '))
  }
  areOne('a=x b=y', 'a=1 b=', 'a="some text" b=y')
  areOne('said "hello there"', 'said ""', 'said "1"')
  areOne("unit 'a b'", "unit '7'")
  areOne('open /etc/passwd', 'open /a', 'open ./a/b.txt', 'open ~/x', 'open http://a.example/b?c=d')
  areOne('from ns.example.com port 1', 'from 10.0.0.1 port 22', 'from fe80::1:abcd port 1')
  areOne('mail to jane.doe@example.org', 'mail to bob+x@mail.example.com')
  areOne('id deadbeef', 'id DEADBEEF', 'id 7f3a9c', 'id 0af7651916cd43dd8448eb211c80319c')
  areOne('id 123e4567-e89b-12d3-a456-426614174000', 'id deadbeef-abcd-effe-dead-beefdeadbeef')
  areOne(
    '[Sun Dec 04 04:47:44 2005] x',
    '[2005-12-04T04:47:44.123Z] x',
    '[04/Dec/2005:04:47:44 +0100] x',
  )
  areOne('Invalid user webmaster from 1.2.3.4', 'Invalid user x_1 from 1.2.3.4')
  areOne('Failed password for root from 1.2.3.4', 'Failed password for x1 from ::1')
  areOne('ids 1', 'ids 1, 2', 'ids 1, 2, 3', 'ids 1 2 3')
  areOne('delete blk_1', 'delete blk_1 blk_-2 blk_3')
  areOne('pod checkout-7d9f8b6c5-x2x4z', 'pod checkout-7d9f8b6c5-abcde')
  areOne('{"a":1,"b":"x"}', '{"a":"y","b":null}', ' { "a" : 2 , "b" : "" }'.replaceAll(' ', ''))
  areOne('{"a":[1,2]}', '{"a":[]}', '{"a":["x","y"]}')
  areOne('{"msg":"took 1 ms","a":1}', '{"msg":"took 2 ms","a":2}')
  areOne('boom 1\n  at a (b.js:1)', 'boom 2\n  at c (d.js:2)\n  at e')
  areOne('\u001b[31merror\u001b[0m 1', '\u001b[32merror\u001b[0m 2')
  areOne('a  b\t1', 'a b 1 ')
})

t.test('messages that say something else are not', async t => {
  const differ = (a: string, b: string) =>
    t.not(patternOfMessage(a).id, patternOfMessage(b).id, `${a} / ${b}`)
  differ('connected', 'disconnected')
  differ('user unknown', 'user logged out')
  differ('read 1', 'wrote 1')
  differ('{"a":1}', '{"b":1}')
  differ('{"msg":"took 1 ms"}', '{"msg":"failed after 1 ms"}')
  differ('check a and/or b', 'check a or b')
  differ('it may fail', 'it did fail')
  differ("can't open", "won't open")
})
