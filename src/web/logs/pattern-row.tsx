/** One kind of messages: how many, when, what its messages look like; opened, the values of its variables. */

import { useState } from 'preact/hooks'
import { patternLabel } from '../../record.ts'
import type { PatternAnswer } from '../api/patterns.ts'
import { levelColor, sortLevels } from '../chart/colors.ts'
import { compactText, countText } from '../format.ts'
import { hasCondition, withCondition, withoutCondition } from '../query/edit.ts'
import { dateTimeText } from '../time/clock.ts'
import { zone } from '../time/zone.ts'
import { IconButton } from '../ui/button.tsx'
import { RecordText } from './record-text.tsx'
import { filterBy, kindOfClick, query, run } from './shown.ts'

/** Keeps the records of a pattern, or leaves them out; asked again, takes that back. */
function filterPattern(value: string, kind: 'only' | 'not'): void {
  const condition = { label: patternLabel, operator: kind === 'only' ? '=' : '!=', value } as const
  const text = query.peek()
  const isThere = hasCondition(text, condition)
  run(isThere ? withoutCondition(text, condition) : withCondition(text, condition))
}

export function PatternRow({ found }: { readonly found: PatternAnswer }) {
  const [isOpen, setOpen] = useState(false)
  const { pattern, text, count, share, levels, change } = found
  const isOnly = hasCondition(query.value, { label: patternLabel, operator: '=', value: pattern })
  const color = levelColor(mostOf(levels))
  return (
    <li class={`pattern${isOpen ? ' pattern-open' : ''}`} data-pattern={pattern}>
      <div class="pattern-line hovers">
        <span
          class="pattern-edge"
          style={{ background: `var(${color})` }}
          title={levelsText(levels)}
        />
        <span class="pattern-count" title={`${countText(count)} records`}>
          {compactText(count)}
        </span>
        <span class="pattern-share faint small">{shareText(share)}</span>
        <Sparkline buckets={found.buckets} color={color} />
        <button
          type="button"
          class="pattern-text mono bare truncate"
          aria-expanded={isOpen}
          onClick={event => {
            if (event.altKey || event.shiftKey) filterPattern(pattern, 'not')
            else setOpen(!isOpen)
          }}
        >
          <PatternText text={text} />
        </button>
        {change !== undefined && <ChangeMark found={found} />}
        <span class="pattern-actions">
          <IconButton
            isSmall
            icon="filter"
            label="Filter for this pattern"
            aria-pressed={isOnly}
            onClick={event => filterPattern(pattern, kindOfClick(event))}
          />
          <IconButton
            isSmall
            icon="exclude"
            label="Filter out this pattern"
            onClick={() => filterPattern(pattern, 'not')}
          />
        </span>
      </div>
      {isOpen && <PatternDetail found={found} />}
    </li>
  )
}

const variable = '<*>'

/** Variables are marked: what stands between them is the same in all messages. */
function PatternText({ text }: { readonly text: string }) {
  const parts = text.split(variable)
  return (
    <>
      {parts.map((part, at) => (
        <>
          {at > 0 && <span class="pattern-variable">{variable}</span>}
          {part !== '' && <RecordText text={part} isOneLine />}
        </>
      ))}
    </>
  )
}

function PatternDetail({ found }: { readonly found: PatternAnswer }) {
  const { levels, services, variables, firstSeen, lastSeen } = found
  return (
    <div class="pattern-detail">
      <dl>
        {variables.map(({ samples }, at) => (
          <div key={at} class="pattern-fact">
            <dt class="faint">
              {variable} {at + 1}
            </dt>
            <dd class="mono">
              {samples.map(sample => (
                <span key={sample} class="pattern-sample truncate">
                  <RecordText text={sample.slice(0, 200)} isOneLine />
                </span>
              ))}
            </dd>
          </div>
        ))}
        <Counts name="levels" label="log_level" counts={levels} />
        <Counts name="services" label="service.name" counts={services} />
        <div class="pattern-fact">
          <dt class="faint">seen</dt>
          <dd>
            {dateTimeText(firstSeen, zone.value)} – {dateTimeText(lastSeen, zone.value)}
          </dd>
        </div>
      </dl>
    </div>
  )
}

interface CountsProps {
  readonly name: string
  readonly label: string
  readonly counts: Readonly<Record<string, number>>
}

function Counts({ name, label, counts }: CountsProps) {
  return (
    <div class="pattern-fact">
      <dt class="faint">{name}</dt>
      <dd>
        {Object.entries(counts)
          .sort(([, a], [, b]) => b - a)
          .map(([value, count]) => (
            <button
              key={value}
              type="button"
              class="field-value bare"
              title="Click: filter for it. Alt-click: exclude it."
              onClick={event => filterBy(label, value, kindOfClick(event))}
            >
              <RecordText text={value} isOneLine /> <span class="faint">{countText(count)}</span>
            </button>
          ))}
      </dd>
    </div>
  )
}

/** `new`, `gone`, or how many times as many as before. */
function ChangeMark({ found: { change, count } }: { readonly found: PatternAnswer }) {
  if (change === undefined || change.kind === 'same') return null
  const { kind, countBefore } = change
  const isMore = kind === 'new' || kind === 'grown'
  const times = countBefore === 0 || count === 0 ? undefined : count / countBefore
  const text =
    times === undefined
      ? kind
      : times >= 1
        ? `×${compactText(times)}`
        : `÷${compactText(1 / times)}`
  return (
    <span
      class={`pattern-change badge ${isMore ? 'tone-warn' : ''}`}
      title={`${kind}: ${countText(countBefore)} before, ${countText(count)} now`}
    >
      {kind === 'new' || kind === 'gone' ? kind : text}
    </span>
  )
}

const sparkWidth = 96
const sparkHeight = 18

/** Counts over the range; the same is told by the histogram once one filters for it. */
export function Sparkline({
  buckets,
  color,
}: {
  readonly buckets: readonly number[]
  readonly color: string
}) {
  const largest = Math.max(1, ...buckets)
  const width = sparkWidth / Math.max(1, buckets.length)
  return (
    <svg class="sparkline" width={sparkWidth} height={sparkHeight} aria-hidden="true">
      {buckets.map((count, at) => {
        const height = count === 0 ? 0 : Math.max(1.5, (count / largest) * sparkHeight)
        return (
          <rect
            key={at}
            x={at * width}
            y={sparkHeight - height}
            width={Math.max(1, width - (width > 3 ? 1 : 0))}
            height={height}
            style={{ fill: `var(${color})` }}
          />
        )
      })}
    </svg>
  )
}

/** The level of most of its records. */
function mostOf(levels: Readonly<Record<string, number>>): string {
  const [[level] = ['']] = Object.entries(levels).sort(([, a], [, b]) => b - a)
  return level
}

function levelsText(levels: Readonly<Record<string, number>>): string {
  return sortLevels(Object.keys(levels))
    .map(level => `${countText(levels[level]!)} ${level}`)
    .join(', ')
}

/** `12 %`, `0.3 %`, `< 0.1 %` */
export function shareText(share: number): string {
  const percent = 100 * share
  if (percent > 0 && percent < 0.1) return '< 0.1 %'
  return `${percent < 10 ? Number(percent.toFixed(1)) : Math.round(percent)} %`
}
