import t from 'tap'
import { call, isMissing } from '../call.ts'
import { ingestionSecret, startServer } from '../stand-ins.ts'

t.test('tokens and keys are made, listed, shown and deleted', async t => {
  const { url } = await startServer(t)
  const settings = '/api/v1/settings'
  const is = async (operation: string, status: number, answer: unknown, body?: unknown) => {
    const [actualStatus, actual] = await call(url, operation, body)
    t.equal(actualStatus, status, operation)
    t.match(actual ?? {}, answer as object, operation)
  }

  await is(`POST ${settings}/ingestion-tokens`, 201, { token: 'ing_new', id: String }, {})
  await is(`GET ${settings}/ingestion-tokens`, 200, { tokens: [] })
  await is(`GET ${settings}/ingestion-tokens/known/secret`, 200, { token: ingestionSecret })
  await is(`DELETE ${settings}/ingestion-tokens/known`, 204, {})
  await is(`POST ${settings}/api-keys`, 201, { key: 'key_new', role: 'viewer' }, {})
  await is(`GET ${settings}/api-keys`, 200, { keys: Array })
  await is(`DELETE ${settings}/api-keys/known`, 204, {})
})

t.test('a token or key that is not there is 404 by its own code', async t => {
  const { url } = await startServer(t)
  await isMissing(t, url, 'GET /api/v1/settings/ingestion-tokens/other/secret', 'token_unknown')
  await isMissing(t, url, 'DELETE /api/v1/settings/ingestion-tokens/other', 'token_unknown')
  await isMissing(t, url, 'DELETE /api/v1/settings/api-keys/other', 'api_key_unknown')
})
