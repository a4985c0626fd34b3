/** `logstrata status`: whether a service runs and how it does, on one short page. */
import type { ApiConfig } from '../../config/config.ts'
import { request, requestJson, requestText, Unreachable } from '../api.ts'
import { ProblemAnswer } from '../api-problem.ts'
import { type Paint, paintFor } from '../colours.ts'
import { printTo } from '../output.ts'
import { jsonLine, printable } from '../printable.ts'
import { byteText, numberText } from '../table.ts'
import type { Terminal } from '../terminal.ts'
import { readMetrics, type Sample, type StatusMetrics, statusMetrics } from './metrics.ts'
import { readStatusOptions } from './options.ts'

interface Status {
  readonly url: string
  readonly reachable: boolean
  readonly ready: boolean
  /** Why it is not. */
  readonly problem?: string
  readonly version?: string
  readonly metrics?: StatusMetrics
}

/** Resolves with 0 when the service is ready, 1 when not. Throws ConfigError and CommandError. */
export async function runStatus(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { api, intervalMs, json } = readStatusOptions(argv, terminal.environment)
  const pause = () => terminal.pause(intervalMs, new AbortController().signal)
  const status = await readStatus(api, pause).catch((error): Status => {
    if (!json || !(error instanceof Unreachable)) throw error
    return { url: api.url, reachable: false, ready: false, problem: error.message }
  })
  const { metrics, ...rest } = status
  const text = json
    ? jsonLine({ ...rest, ...metrics })
    : statusText(status, paintFor(terminal, terminal.stdout))
  await printTo(terminal.stdout, output => output.write(text))
  return status.ready ? 0 : 1
}

/** Throws Unreachable when nobody answers; whatever else goes wrong is part of the status. */
async function readStatus(api: ApiConfig, pause: () => Promise<void>): Promise<Status> {
  const problem = await refusal(request(api, { path: '/ready' }))
  const version = await readVersion(api)
  const metrics = await sampleMetrics(api, pause)
  return {
    url: api.url,
    reachable: true,
    ready: problem === undefined,
    ...(problem === undefined ? {} : { problem: problem.message }),
    ...(version === undefined ? {} : { version }),
    ...(metrics === undefined ? {} : { metrics }),
  }
}

/** It is in the description of the API, which everybody may read. */
async function readVersion(api: ApiConfig): Promise<string | undefined> {
  try {
    const { info } = await requestJson(api, { path: '/openapi.json' })
    const { version } = Object(info) as Record<string, unknown>
    return typeof version === 'string' ? version : undefined
  } catch (error) {
    return unlessUnreachable(error)
  }
}

/** Undefined when the service does not show them to this caller. */
async function sampleMetrics(
  api: ApiConfig,
  pause: () => Promise<void>,
): Promise<StatusMetrics | undefined> {
  const sample = async (): Promise<Sample> => ({
    metrics: readMetrics(await requestText(api, { path: '/metrics' })),
    takenAtMs: performance.now(),
  })
  try {
    const first = await sample()
    await pause()
    return statusMetrics(first, await sample(), Date.now())
  } catch (error) {
    return unlessUnreachable(error)
  }
}

async function refusal(asked: Promise<Response>): Promise<ProblemAnswer | undefined> {
  try {
    await (await asked).text()
    return undefined
  } catch (error) {
    if (error instanceof ProblemAnswer) return error
    throw error
  }
}

function unlessUnreachable(error: unknown): undefined {
  if (error instanceof Unreachable || !(error instanceof ProblemAnswer)) throw error
  return undefined
}

function statusText({ url, ready, problem, version, metrics }: Status, paint: Paint): string {
  const state = ready ? paint('green', 'ready') : paint('red', `not ready: ${problem}`)
  const lines = [
    ['service', `${url}, ${state}`],
    ['version', version === undefined ? 'not known' : printable(version)],
    ...(metrics === undefined
      ? [['metrics', 'not shown to this caller: give an API key']]
      : metricLines(metrics, paint)),
  ]
  return lines.map(([name, text]) => `${name!.padEnd(10)}${text}\n`).join('')
}

function metricLines(metrics: StatusMetrics, paint: Paint): string[][] {
  const { records, segments, journalFiles, diskBytes, memoryBytes, uptimeSeconds } = metrics
  const { events, queries, damaged, unsealedFiles } = metrics
  const rate = (perSecond: number) => numberText(Number(perSecond.toPrecision(3)))
  const health =
    damaged === 0
      ? 'nothing damaged was met'
      : paint(
          'red',
          `${numberText(damaged)} damaged frames or blocks were met; see the service’s log`,
        )
  return [
    ...(uptimeSeconds === undefined ? [] : [['running', timeSpan(uptimeSeconds)]]),
    [
      'records',
      `${numberText(records)} in ${numberText(segments)} segments and ${numberText(journalFiles)} journal files`,
    ],
    ['disk', byteText(diskBytes)],
    ['memory', byteText(memoryBytes)],
    [
      'events',
      `${rate(events.perSecond)}/s now; ${numberText(events.total)} stored and ${numberText(events.rejected)} rejected since the start`,
    ],
    [
      'queries',
      `${rate(queries.perSecond)}/s now; ${numberText(queries.total)} answered and ${numberText(queries.failed)} failed since the start`,
    ],
    ['health', `${health}; ${numberText(unsealedFiles)} journal files wait to be sealed`],
  ]
}

/** The two largest units: `3d 4h`, `12m 5s`. */
function timeSpan(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 86_400), 'd'],
    [Math.floor(seconds / 3_600) % 24, 'h'],
    [Math.floor(seconds / 60) % 60, 'm'],
    [seconds % 60, 's'],
  ] as const
  const first = parts.findIndex(([amount]) => amount > 0)
  return parts
    .slice(first < 0 ? 3 : first)
    .slice(0, 2)
    .map(([amount, unit]) => `${amount}${unit}`)
    .join(' ')
}
