import t from 'tap'
import { post } from '../call.ts'
import { keyOf, startServer } from '../stand-ins.ts'

t.test('a body that is not JSON is refused with its place', async t => {
  const { url } = await startServer(t)
  const refuses = async (body: string | Buffer, code: string, hasPosition = true) => {
    const response = await post(`${url}/api/v1/dashboards/update`, keyOf.editor, body)
    t.equal(response.status, 400, code)
    t.match(await response.json(), { code, ...(hasPosition ? { position: Object } : {}) })
  }

  await refuses('', 'body_empty', false)
  await refuses('{"dashboard":{}', 'json_invalid')
  await refuses('dashboard', 'json_invalid')
  await refuses(Buffer.from('{"dashboard":"\xff"}', 'latin1'), 'utf8_invalid')
  await refuses('['.repeat(100_000), 'json_too_deep')
})
