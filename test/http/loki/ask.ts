/** Asking a service as Loki's clients do, by GET and by POST, with Basic credentials. */
import type { Test } from 'tap'
import { type Answer, adminKey, type ServiceProcess } from '../../service/service-process.ts'

/** As Grafana sends the credentials of a data source. */
export const basic = `Basic ${btoa(`grafana:${adminKey}`)}`

export type Asked = Readonly<Record<string, string | readonly string[]>>

export interface Client {
  /** By GET; and where `post` is not false by POST, which must come to the same. */
  ask(path: string, asked?: Asked, more?: AskMore): Promise<Answer>
  /** The `data` of an answer, which must be 200 and a success. */
  data(path: string, asked?: Asked, more?: AskMore): Promise<Answer['body']>
}

interface AskMore {
  readonly headers?: Record<string, string>
  readonly post?: boolean
}

export function clientOf(t: Test, service: ServiceProcess): Client {
  const ask: Client['ask'] = async (path, asked = {}, { headers = {}, post = true } = {}) => {
    const parameters = new URLSearchParams()
    for (const [name, values] of Object.entries(asked)) {
      for (const value of [values].flat()) parameters.append(name, value)
    }
    const at = `/loki/api/v1/${path}`
    const credential = { token: null, headers: { authorization: basic, ...headers } }
    const got = await service.call('GET', `${at}?${parameters}`, credential)
    if (!post) return got
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    const posted = await service.call('POST', at, {
      ...credential,
      headers: { ...credential.headers, ...form },
      body: String(parameters),
    })
    t.equal(posted.status, got.status, `${path} by POST`)
    t.same(withoutStats(posted.body), withoutStats(got.body), `${path} is the same by POST`)
    return got
  }
  return {
    ask,
    async data(path, asked, more) {
      const { status, body } = await ask(path, asked, more)
      t.equal(status, 200, `${path}: ${JSON.stringify(body).slice(0, 300)}`)
      t.equal(body.status, 'success')
      return body.data
    },
  }
}

/** Figures of time differ. */
function withoutStats(body: Answer['body']) {
  return body?.data?.stats === undefined ? body : { ...body, data: { ...body.data, stats: 0 } }
}

/** Nanoseconds as text. */
export const ns = (seconds: number) => `${BigInt(Math.round(seconds * 1000))}000000`
