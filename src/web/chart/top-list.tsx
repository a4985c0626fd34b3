/** The largest groups as bars from left to right, each with its name and value. */

import { countText } from '../format.ts'
import { type Group, type GroupsProps, largestFirst } from './groups.ts'

interface TopListProps extends GroupsProps {
  /** Where a click on a group leads; undefined: nowhere. */
  hrefOf?(group: Group): string | undefined
}

const shownMax = 100

export function TopList({ label, groups, valueText, hrefOf }: TopListProps) {
  const all = largestFirst(groups)
  const shown = all.slice(0, shownMax)
  const largest = Math.max(...shown.map(({ total }) => Math.abs(total)).filter(Number.isFinite), 0)
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
    <section class="top-list" aria-label={label} tabIndex={0}>
      <ol>
        {shown.map(group => {
          const href = hrefOf?.(group)
          const share = Math.min(1, largest === 0 ? 0 : Math.abs(group.total) / largest)
          return (
            <li class="line apart" key={group.name}>
              <span
                class="top-list-bar"
                style={{ width: `${100 * share}%`, background: `var(${group.color})` }}
              />
              <span class="top-list-name truncate" title={group.name}>
                {href === undefined ? group.name : <a href={href}>{group.name}</a>}
              </span>
              <span class="top-list-value">{valueText(group.total)}</span>
            </li>
          )
        })}
      </ol>
      {all.length > shownMax && (
        <p class="faint">
          The {shownMax} largest of {countText(all.length)} are shown.
        </p>
      )}
    </section>
  )
}
