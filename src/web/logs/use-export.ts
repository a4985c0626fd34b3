/** Downloads the whole result; it is never held in the page's memory as text. */

import { useRef, useState } from 'preact/hooks'
import { isAbort } from '../api/problem.ts'
import { type ExportFormat, exportLogs } from '../api/records.ts'
import { bytesText } from '../format.ts'
import { download, fileTime } from '../ui/download.ts'
import { explain } from '../ui/states.tsx'
import { toast } from '../ui/toasts.tsx'
import { narrowed, timesNow } from './shown.ts'

const endings: Readonly<Record<ExportFormat, string>> = {
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
}

export interface Export {
  /** What has arrived so far; undefined while nothing is exported. */
  readonly receivedText: string | undefined
  start(format: ExportFormat): Promise<void>
  cancel(): void
}

export function useExport(): Export {
  const [received, setReceived] = useState<number | undefined>(undefined)
  const controller = useRef<AbortController | undefined>(undefined)
  const start = async (format: ExportFormat) => {
    controller.current?.abort()
    const own = new AbortController()
    controller.current = own
    setReceived(0)
    try {
      const asked = { query: narrowed(), ...timesNow() }
      const response = await exportLogs(asked, format, own.signal)
      const counted = response.body!.pipeThrough(counting(setReceived))
      download(await new Response(counted).blob(), `logs-${fileTime()}.${endings[format]}`)
    } catch (error) {
      if (!isAbort(error)) toast(`The export failed: ${explain(error).detail}`)
    } finally {
      if (controller.current === own) setReceived(undefined)
    }
  }
  return {
    receivedText: received === undefined ? undefined : bytesText(received),
    start,
    cancel: () => controller.current?.abort(),
  }
}

function counting(onCount: (bytes: number) => void) {
  let bytes = 0
  let toldAt = 0
  return new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
    transform(chunk, stream) {
      bytes += chunk.byteLength
      if (performance.now() - toldAt > 200) {
        toldAt = performance.now()
        onCount(bytes)
      }
      stream.enqueue(chunk)
    },
  })
}
