/** How a front end speaks with its primary: asks for what changed of the settings, and passes changes on. */
import { checkBody } from '../../schema/check.ts'
import { type AskedFeed, type SettingsFeed, settingsFeedSchema } from './feed.ts'

/** The route of a primary for its front ends. */
export const feedPath = '/api/v1/front-ends/settings'
/** Whose change it is that a front end passes on: the id of an API key. */
export const callerHeader = 'logstrata-caller'

/** A primary that answers nothing for so long is away, ms; beyond the time that it was told to wait. */
const feedSilenceMs = 3_000
/** A receiver of alerts may be tried meanwhile. */
const changeSilenceMs = 30_000

/** The primary has not answered, or not as one does. */
export class PrimaryAway extends Error {
  override readonly name = 'PrimaryAway'
  /** Whether nothing can have come of what it was asked. */
  readonly isUntouched: boolean

  constructor(message: string, isUntouched: boolean, options?: ErrorOptions) {
    super(message, options)
    this.isUntouched = isUntouched
  }
}

/** A change as it came. */
export interface PassedRequest {
  readonly method: string
  /** With what follows the `?`. */
  readonly path: string
  /** The id of the API key that it came with. */
  readonly callerId: string
  /** JSON; absent: no body. */
  readonly body?: Buffer
  /** Those of the request that say how it is meant. */
  readonly headers: Readonly<Record<string, string>>
}

export interface PassedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: Buffer
}

export class Primary {
  readonly url: string
  readonly #key: string

  constructor(url: string, key: string) {
    this.url = url
    this.#key = key
  }

  /** Throws PrimaryAway; an Error for people when it answers something else than its settings. */
  async settings(
    { epoch, after }: AskedFeed,
    waitMs: number,
    ending?: AbortSignal,
  ): Promise<SettingsFeed> {
    const query = new URLSearchParams({ epoch, after: String(after), waitMs: String(waitMs) })
    const answer = await this.#fetch(`${feedPath}?${query}`, {}, waitMs + feedSilenceMs, ending)
    if (answer.status === 401 || answer.status === 403) {
      throw new Error('it does not know the key: give both the same --primary-key')
    }
    if (answer.status === 404) {
      throw new Error('it is no primary: it must be started with --primary-key, and no --primary')
    }
    const text = await answer.text().catch(error => {
      throw away(error)
    })
    if (answer.status !== 200) throw new PrimaryAway(`it answered ${answer.status}`, true)
    return checkBody(settingsFeedSchema, JSON.parse(text))
  }

  /** The primary's answer, whatever it is. Throws PrimaryAway. */
  async passOn({ method, path, callerId, body, headers }: PassedRequest): Promise<PassedAnswer> {
    const asked = {
      method,
      headers: {
        ...headers,
        [callerHeader]: callerId,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: new Uint8Array(body) }),
    }
    const answer = await this.#fetch(path, asked, changeSilenceMs)
    try {
      const bytes = Buffer.from(await answer.arrayBuffer())
      return { status: answer.status, headers: answer.headers, body: bytes }
    } catch (error) {
      throw away(error as Error)
    }
  }

  async #fetch(
    path: string,
    request: RequestInit,
    silenceMs: number,
    ending?: AbortSignal,
  ): Promise<Response> {
    const silence = AbortSignal.timeout(silenceMs)
    try {
      return await fetch(`${this.url}${path}`, {
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${this.#key}` },
        redirect: 'manual',
        signal: ending === undefined ? silence : AbortSignal.any([silence, ending]),
      })
    } catch (error) {
      throw away(error as Error)
    }
  }
}

/** Codes of failures before anything was sent. */
const beforeSending = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']

function away(error: Error): PrimaryAway {
  const { code, message } = (error.cause ?? error) as Error & { code?: string }
  const isUntouched = beforeSending.includes(code ?? '')
  return new PrimaryAway(message || code || 'no answer', isUntouched, { cause: error })
}
