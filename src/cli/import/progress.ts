/**
 * The progress of an import, or of other work that takes long, on one line that is drawn again and again.
 * Only for a terminal: in a log file the line would be noise. Plain characters, no colours.
 */
import { numberText } from '../table.ts'
import type { Terminal } from '../terminal.ts'

export interface Progress {
  readonly elapsedMs: number
  /** Undefined when nobody counts. */
  readonly recordCount: number | undefined
  readonly sentBytes: number
  /** How far the files have been read, from 0 to 1; undefined when their end is not known. */
  readonly share: number | undefined
}

const drawEveryMs = 200
const barColumns = 20

/** Draws `progress()` until the function that is returned is called, which wipes the line. */
export function startProgress(terminal: Terminal, progress: () => Progress): () => void {
  return startProgressLine(terminal, () => progressLine(progress()))
}

/** The same with whatever line says how far it is. */
export function startProgressLine({ stderr }: Terminal, line: () => string): () => void {
  if (stderr.isTTY !== true) {
    return () => {}
  }
  const draw = () => {
    // One column less than there are: a full line would wrap, and the next drawing would leave it
    // behind. A terminal that does not know its width says 0.
    const columns = (stderr.columns || 80) - 1
    stderr.write(`\r${line().slice(0, columns)}\x1b[K`)
  }
  const timer = setInterval(draw, drawEveryMs)
  draw()
  return () => {
    clearInterval(timer)
    stderr.write('\r\x1b[K')
  }
}

/** ` 45% █████████···········  1,234,567 records  152,300/s  38.1 MB/s  0:42 left` */
export function progressLine({ elapsedMs, recordCount, sentBytes, share }: Progress): string {
  const seconds = Math.max(elapsedMs, 1) / 1000
  const megabytes = (sentBytes / seconds / 1e6).toFixed(1)
  const counts = `${countText(recordCount, sentBytes, seconds)}  ${megabytes} MB/s`
  if (share === undefined) {
    return counts
  }
  const { bar, left } = shareTexts(share, elapsedMs)
  return `${bar}  ${counts}${left}`
}

/** ` 45% █████████···········` of a share from 0 to 1, and `  0:42 left` when that can be told. */
export function shareTexts(share: number, elapsedMs: number): { bar: string; left: string } {
  const seconds = Math.max(elapsedMs, 1) / 1000
  const done = Math.min(Math.max(share, 0), 1)
  const filled = Math.floor(done * barColumns)
  const bar = '█'.repeat(filled) + '·'.repeat(barColumns - filled)
  const left = done === 0 ? '' : `  ${clock(seconds / done - seconds)} left`
  return { bar: `${String(Math.floor(done * 100)).padStart(3)}% ${bar}`, left }
}

function countText(count: number | undefined, bytes: number, seconds: number): string {
  if (count === undefined) return `${(bytes / 1e6).toFixed(1)} MB`
  const rate = numberText(Math.round(count / seconds))
  return `${numberText(count)} records  ${rate}/s`
}

/** Minutes and seconds, with hours when there are any. */
function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const pad = (value: number) => String(value).padStart(2, '0')
  const hours = Math.floor(whole / 3600)
  const minutes = Math.floor((whole % 3600) / 60)
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`
}
