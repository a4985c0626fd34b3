import t from 'tap'
import { ingestionSecret, startServer } from '../stand-ins.ts'

const base64 = (text: string) => Buffer.from(text).toString('base64')

t.test('a token is taken in every form in which a client can send it, on every path', async t => {
  const { url } = await startServer(t)
  const status = async (path: string, headers: Record<string, string>) => {
    const all = { 'Content-Type': 'application/json', ...headers }
    return (await fetch(url + path, { method: 'POST', headers: all, body: '{}' })).status
  }
  const takes = async (headers: Record<string, string>) => {
    for (const path of ['/api/v1/webhook/event/log', '/api/v1/otlp/v1/logs']) {
      t.equal(await status(path, headers), 200, JSON.stringify(headers))
    }
  }
  const refuses = async (headers: Record<string, string>) =>
    t.equal(await status('/api/v1/webhook/event/log', headers), 401, JSON.stringify(headers))

  for (const scheme of ['Bearer', 'bearer', 'Splunk', 'SPLUNK', 'ApiKey', 'apikey']) {
    await takes({ Authorization: `${scheme} ${ingestionSecret}` })
    await refuses({ Authorization: `${scheme} ${ingestionSecret}x` })
    await refuses({ Authorization: scheme })
  }
  for (const user of ['', 'any', 'elastic']) {
    await takes({ Authorization: `Basic ${base64(`${user}:${ingestionSecret}`)}` })
    await takes({ Authorization: `ApiKey ${base64(`${user}:${ingestionSecret}`)}` })
  }
  await takes({ 'DD-API-KEY': ingestionSecret })
  await takes({ 'X-API-Key': ingestionSecret })

  await refuses({ Authorization: ingestionSecret })
  await refuses({ Authorization: `Token ${ingestionSecret}` })
  await refuses({ Authorization: `Basic ${base64(ingestionSecret)}` })
  await refuses({ Authorization: `Basic ${base64(`${ingestionSecret}:`)}` })
  await refuses({ 'DD-API-KEY': `${ingestionSecret}x` })
  await refuses({ 'X-API-Token': ingestionSecret })
  await refuses({ Authorization: 'Bearer other', 'DD-API-KEY': ingestionSecret })
  const inAddress = `/api/v1/webhook/event/log?token=${ingestionSecret}&api_key=${ingestionSecret}`
  t.equal(await status(inAddress, {}), 401, 'never in the address')
})
