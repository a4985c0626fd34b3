/** How the values of a query are drawn, and which of its groups: in the address. */

import { type Drawing, drawings } from '../chart/drawings.ts'
import { choiceParam, listParam } from '../state/param-kinds.ts'
import { urlParam } from '../state/url-param.ts'

export const drawing = urlParam<Drawing>('draw', choiceParam(drawings))
/** The groups that are shown alone; none: all are. */
export const onlyGroups = urlParam('only', listParam)

/** Lines that can be told apart. */
export const linesMax = 16
