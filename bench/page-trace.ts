/**
 * What the frames of the page cost, by a trace of the browser: on the page's main thread our script, then
 * style, layout and paint; beside it the drawing of pixels (raster and compositor), which other threads and
 * processes do. CPU time of each thread, so that waiting for a processor does not count.
 */
import type { Browser } from 'playwright-core'

export interface FrameCosts {
  readonly frames: number
  /** Ms of CPU over all frames, by kind. */
  readonly costs: Readonly<Record<CostKind, number>>
}

export const costKinds = ['script', 'style', 'layout', 'paint', 'other', 'raster'] as const
export type CostKind = (typeof costKinds)[number]

/** An event of the trace; times in µs. */
interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  /** CPU time. */
  readonly tdur?: number
  readonly args: { readonly name?: string }
}

const kinds: Readonly<Record<string, CostKind>> = {
  FireAnimationFrame: 'script',
  FunctionCall: 'script',
  EventDispatch: 'script',
  RunMicrotasks: 'script',
  MinorGC: 'script',
  MajorGC: 'script',
  UpdateLayoutTree: 'style',
  ParseAuthorStyleSheet: 'style',
  Layout: 'layout',
  HitTest: 'layout',
  PrePaint: 'paint',
  Paint: 'paint',
  Layerize: 'paint',
  Commit: 'paint',
}

const categories = ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline', 'v8']

/** Traces the browser while `work` runs; the only page that is busy is meant. */
export async function traceFrames(
  browser: Browser,
  work: () => Promise<void>,
): Promise<FrameCosts> {
  const wire = await browser.newBrowserCDPSession()
  const events: TraceEvent[] = []
  wire.on('Tracing.dataCollected', ({ value }) => events.push(...(value as never as TraceEvent[])))
  await wire.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: categories, recordMode: 'recordAsMuchAsPossible' },
  })
  await work()
  const ended = new Promise<void>(resolve => wire.on('Tracing.tracingComplete', () => resolve()))
  await wire.send('Tracing.end')
  await ended
  await wire.detach()
  return costsOf(events)
}

function costsOf(events: readonly TraceEvent[]): FrameCosts {
  const threads = new Map<string, TraceEvent[]>()
  const names = new Map<string, string>()
  for (const event of events) {
    const key = `${event.pid}/${event.tid}`
    if (event.ph === 'M' && event.name === 'thread_name') names.set(key, event.args.name ?? '')
    if (event.ph !== 'X') continue
    const list = threads.get(key)
    if (list === undefined) threads.set(key, [event])
    else list.push(event)
  }
  const costs = Object.fromEntries(costKinds.map(kind => [kind, 0])) as Record<CostKind, number>
  let frames = 0
  for (const [key, list] of threads) {
    const fired = list.filter(({ name }) => name === 'FireAnimationFrame').length
    const isPage = fired > 0
    if (isPage) frames = Math.max(frames, fired)
    const isPixels = /Compositor|ThreadPool|CrGpuMain|VizCompositor/.test(names.get(key) ?? '')
    if (!isPage && !isPixels) continue
    for (const [kind, us] of ownTimes(list, isPage)) costs[kind] += us / 1_000
  }
  return { frames, costs }
}

/** CPU of every event without that of those inside it, µs. What has no kind has that of what is around it. */
function ownTimes(list: readonly TraceEvent[], isPage: boolean): [CostKind, number][] {
  const sorted = list.toSorted((a, b) => a.ts - b.ts || (b.dur ?? 0) - (a.dur ?? 0))
  const open: { end: number; kind: CostKind }[] = []
  const times: [CostKind, number][] = []
  for (const { name, ts, dur = 0, tdur = 0 } of sorted) {
    while (open.length > 0 && open.at(-1)!.end <= ts) open.pop()
    const around = open.at(-1)?.kind
    const kind = isPage ? (kinds[name] ?? around ?? 'other') : 'raster'
    times.push([kind, tdur])
    if (around !== undefined) times.push([around, -tdur])
    open.push({ end: ts + dur, kind })
  }
  return times
}
