/** The way to where spans are shown: a link with a place for the trace's id, kept by this browser. */

import { kept } from '../state/kept.ts'
import { textParam } from '../state/param-kinds.ts'

export const tracerTemplate = kept('tracer', textParam())
