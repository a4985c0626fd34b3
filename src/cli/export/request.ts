/**
 * The request of an export. Not `fetch`, which decompresses: what the service compressed is to be
 * written as it came.
 */
import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { lost } from '../api.ts'
import { readProblem } from '../api-problem.ts'
import type { ExportOptions } from './options.ts'

const contentTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv' } as const
/** Of a refusal; the service's are far shorter. */
const problemLengthMax = 64 * 1024

/** Resolves with the answer, its body unread. Throws ProblemAnswer, Unreachable or an AbortError. */
export async function requestExport(
  { api, query, range, format, gzip }: ExportOptions,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const url = new URL(`${api.url}/api/v1/query/logs/export`)
  const body = JSON.stringify({ query, ...range })
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${api.key}`,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      accept: contentTypes[format],
      'accept-encoding': gzip ? 'gzip' : 'identity',
    }
    const request = send(url, { method: 'POST', headers, signal }, resolve)
    request.on('error', error => reject(lost(error, api)))
    request.end(body)
  })
  if (response.statusCode === 200) return response
  throw readProblem(response.statusCode ?? 0, await readText(response), api.url)
}

async function readText(response: IncomingMessage): Promise<string> {
  let text = ''
  response.setEncoding('utf8')
  for await (const part of response) {
    text += part
    if (text.length > problemLengthMax) break
  }
  return text
}
