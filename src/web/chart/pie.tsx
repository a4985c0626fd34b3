/** Shares of a whole as a ring. Of many groups the smaller are one slice; what is not above zero is none. */

import type { GroupsProps } from './groups.ts'
import { shareText, slicesOf } from './shares.ts'

interface PieProps extends GroupsProps {
  /** Pixels. */
  readonly height: number
}

const radius = 40
const length = 2 * Math.PI * radius
/** Between slices, of the ring's length. */
const gap = 1

export function Pie({ label, groups, height, valueText }: PieProps) {
  const slices = slicesOf(groups)
  const sum = slices.reduce((all, { total }) => all + total, 0)
  const parts = slices.map(({ name, total }) => `${name} ${shareText(total / sum)}`)
  let from = 0
  return (
    <figure class="pie" style={{ height: `${height}px` }}>
      <svg viewBox="0 0 100 100" role="img" aria-label={`${label}: ${parts.join(', ')}`}>
        {slices.map(({ name, color, total }) => {
          const drawn = (total / sum) * length
          const offset = -from
          from += drawn
          return (
            <circle
              key={name}
              class="pie-slice"
              cx="50"
              cy="50"
              r={radius}
              stroke={`var(${color})`}
              stroke-dasharray={`${Math.max(0.2, drawn - (slices.length > 1 ? gap : 0))} ${length}`}
              stroke-dashoffset={offset}
            >
              <title>{`${name}: ${valueText(total)}, ${shareText(total / sum)}`}</title>
            </circle>
          )
        })}
      </svg>
      <div class="pie-sum column" aria-hidden="true">
        <strong>{valueText(sum)}</strong>
        <span class="faint">in all</span>
      </div>
    </figure>
  )
}
