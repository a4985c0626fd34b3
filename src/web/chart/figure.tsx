/** Values as figures to be read from afar, each with its course as a small line and how it has changed. */

import { type GroupsProps, largestFirst } from './groups.ts'
import type { Values } from './stack.ts'
import { sparkHeight, sparkPath, sparkWidth, trendText } from './trend.ts'

interface FiguresProps extends GroupsProps {
  /** The value of a group over the same span of time before, by its name. */
  readonly before: ReadonlyMap<string, number>
}

const shownMax = 12

export function Figures({ label, groups, before, valueText }: FiguresProps) {
  const shown = largestFirst(groups).slice(0, shownMax)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
    <section class="figures-frame" aria-label={label} tabIndex={0}>
      <ul class={`figures${shown.length === 1 ? ' figures-one' : ''}`}>
        {shown.map(({ name, color, total, values }) => (
          <li
            class="figure column"
            key={name}
            style={{ '--chars': String(valueText(total).length) }}
          >
            {shown.length > 1 && <span class="figure-name truncate soft">{name}</span>}
            <strong class="figure-value">{valueText(total)}</strong>
            <span class="figure-trend soft small">{trendText(total, before.get(name))}</span>
            <Sparkline values={values} color={color} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Sparkline({ values, color }: { readonly values: Values; readonly color: string }) {
  const path = sparkPath(values)
  return (
    <svg
      class="figure-line"
      viewBox={`0 0 ${sparkWidth} ${sparkHeight}`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path d={path} stroke={`var(${color})`} />
    </svg>
  )
}
