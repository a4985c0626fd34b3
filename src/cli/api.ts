/**
 * Requests to a running service, for all commands that query it or change its settings. What comes
 * back is an answer of the service; everything else (nobody there, a refusal, another program on the
 * port) is a CommandError that says what to do. The key is sent and never printed.
 */
import { type ApiConfig, apiSettings } from '../config/config.ts'
import {
  ConfigError,
  type Environment,
  type ReadSettings,
  type Settings,
} from '../config/settings.ts'
import { readProblem } from './api-problem.ts'
import { CommandError } from './command-error.ts'
import { readCommand } from './command-line.ts'
import { isObject, parseJson } from './json.ts'

export interface ApiRequest {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  /** With its query string, if it has one. */
  readonly path: string
  /** Sent as JSON; a string is JSON already. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** The service could not be reached, or stopped answering: to try again may help. */
export class Unreachable extends CommandError {}

/** Reads a command line to which `--url` and `--key` belong. Throws ConfigError. */
export function readApiCommand<Values extends object>(
  table: Settings<Values>,
  argv: readonly string[],
  environment: Environment,
): ReadSettings<Values & ApiConfig> {
  const whole = { ...table, ...apiSettings } as Settings<Values & ApiConfig>
  return readCommand(whole, argv, environment)
}

/** Throws ConfigError when there is no key, and says where one comes from. */
export function requireKey({ url, key }: ApiConfig): ApiConfig {
  if (key !== undefined) return { url, key }
  throw new ConfigError(
    '--key',
    '--key or LOGSTRATA_KEY needs an API key. The first start of the service printed one; ' +
      'an admin makes more with: logstrata api-keys create',
  )
}

/** Resolves with a 2xx answer. Throws ProblemAnswer for a refusal, Unreachable, or an AbortError. */
export async function request(api: ApiConfig, asked: ApiRequest): Promise<Response> {
  const { method = 'GET', path, body, headers, signal } = asked
  let response: Response
  try {
    response = await fetch(api.url + path, {
      method,
      headers: {
        ...(api.key === undefined ? {} : { authorization: `Bearer ${api.key}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
      redirect: 'manual',
    })
  } catch (error) {
    throw lost(error, api)
  }
  if (!response.ok) {
    throw readProblem(response.status, await textOf(response, api), api.url)
  }
  return response
}

/** Resolves with the object that the service answers; empty for an answer without a body. */
export async function requestJson(
  api: ApiConfig,
  asked: ApiRequest,
): Promise<Readonly<Record<string, unknown>>> {
  const text = await requestText(api, asked)
  return text === '' ? {} : parseObject(text, api)
}

/**
 * Sends a request and resolves with the body of its answer. Rejects with CommandError: no service there, or a
 * refusal (ProblemAnswer); and with the error of an abort as it is.
 */
export async function requestText(api: ApiConfig, asked: ApiRequest): Promise<string> {
  return textOf(await request(api, asked), api)
}

/** Why `fetch` failed: it says only "fetch failed"; the code, or else the text, is that of its cause. */
export function fetchFailure(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  return String(cause instanceof Error && 'code' in cause ? (cause.code ?? cause) : cause)
}

/** For a body that broke off, too. Returns the error of an abort as it is. */
export function lost(error: unknown, { url }: ApiConfig): unknown {
  if (error instanceof Error && error.name === 'AbortError') return error
  const code = fetchFailure(error)
  if (/CERT|SELF_SIGNED|UNABLE_TO_/.test(code)) {
    const remedy = 'name the file of its issuer in NODE_EXTRA_CA_CERTS'
    return new CommandError(`the certificate of ${url} is not trusted (${code}); ${remedy}`, {
      cause: error,
    })
  }
  const wasThere = ['ECONNRESET', 'UND_ERR_SOCKET', 'UND_ERR_BODY_TIMEOUT', 'EPIPE'].includes(code)
  return new Unreachable(
    wasThere
      ? `the connection to ${url} broke off (${code}): was the service stopped?`
      : `no service answers at ${url} (${code}): is it running? npm start starts it, --url says where it is`,
    { cause: error },
  )
}

/** Throws CommandError for what no service of ours says. */
export function parseObject(text: string, { url }: ApiConfig): Readonly<Record<string, unknown>> {
  const value = parseJson(text)
  if (!isObject(value)) throw strangeAnswer(url)
  return value
}

/** For an answer that no service of ours would give. */
export function strangeAnswer(url: string): CommandError {
  return new CommandError(`what answers at ${url} is not this service; is the address right?`)
}

async function textOf(response: Response, api: ApiConfig): Promise<string> {
  try {
    return await response.text()
  } catch (error) {
    throw lost(error, api)
  }
}
