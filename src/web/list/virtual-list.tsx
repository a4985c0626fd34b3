/**
 * A list of any length: only the rows in sight exist. Rows have one height; an opened row has something
 * below it, whose height is measured. What a row shows is made once, and again when the item or
 * `renderRow` changes: keep that function the same (`useCallback`) while nothing else changed.
 */

import type { ComponentChildren, RefObject, VNode } from 'preact'
import {
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'preact/hooks'
import { RowLayout } from './row-layout.ts'

export interface VirtualListHandle {
  /** Scrolls no further than needed to bring the row into sight. */
  showRow(row: number): void
  scrollToTop(): void
  scrollToEnd(): void
  /** Rows were put in front of the first: keeps those in sight where they are. */
  keepPlace(rowsAdded: number): void
}

export interface VirtualListProps<T> {
  /** What it lists; read out. */
  readonly label: string
  readonly items: readonly T[]
  /** Pixels, of every row. */
  readonly rowHeight: number
  /** Keys of opened rows. */
  readonly opened?: ReadonlySet<string>
  readonly handle?: RefObject<VirtualListHandle | null>
  readonly className?: string
  /** What a row is higher than `rowHeight` by, pixels; must cost little, it is asked of every item. */
  extraOf?(item: T): number
  keyOf(item: T): string
  renderRow(item: T, row: number): ComponentChildren
  /** Below an opened row. */
  renderDetail?(item: T, row: number): ComponentChildren
  /** The end comes into sight: more may be loaded. */
  onNearEnd?(): void
  /** Whether the list is scrolled to its very top or end. */
  onScroll?(at: { readonly isTop: boolean; readonly isEnd: boolean }): void
}

/** Rows above and below those in sight: scrolling shows no holes before the next frame. */
const spare = 8
/** The first row changes in steps, so that scrolling by a row or two renders nothing. */
const step = 4

export function VirtualList<T>(props: VirtualListProps<T>) {
  const frame = useRef<HTMLElement>(null)
  const [heights, setHeights] = useState<ReadonlyMap<string, number>>(new Map())
  const layout = useRowLayout(props, heights)
  const { sight, look } = useSight(props, layout, frame)
  const measure = useMeasure((key, height) => {
    setHeights(before => (before.get(key) === height ? before : new Map(before).set(key, height)))
  })
  const rows = useRowsInSight(props, layout, sight, measure)
  useImperativeHandle(props.handle ?? { current: null }, () =>
    handleOf(frame, layout, props.rowHeight),
  )
  return (
    <section
      class={`virtual-list fill ${props.className ?? ''}`}
      aria-label={props.label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by key.
      tabIndex={0}
      ref={frame}
      onScroll={look}
    >
      <ul class="virtual-height" style={{ height: `${layout.height}px` }}>
        {rows}
      </ul>
    </section>
  )
}

/** Where each row lies; `heights` are those of what is below the opened ones, as measured. */
function useRowLayout<T>(
  { items, rowHeight, opened, extraOf, keyOf }: VirtualListProps<T>,
  heights: ReadonlyMap<string, number>,
): RowLayout {
  return useMemo(() => {
    const areAlike = extraOf === undefined && (opened === undefined || opened.size === 0)
    if (areAlike) return new RowLayout(rowHeight, items.length)
    const extras = new Map<number, number>()
    for (const [row, item] of items.entries()) {
      const key = keyOf(item)
      const below = opened?.has(key) ? (heights.get(key) ?? 0) : 0
      const extra = below + (extraOf?.(item) ?? 0)
      if (extra > 0) extras.set(row, extra)
    }
    return new RowLayout(rowHeight, items.length, extras)
  }, [items, rowHeight, opened, heights, extraOf, keyOf])
}

/** Rows that exist: those in sight, and some to spare. */
interface Sight {
  readonly first: number
  readonly count: number
}

/** Keeps up with scrolling and with the size of the list; `look` is to be called when it was scrolled. */
function useSight<T>(
  props: VirtualListProps<T>,
  layout: RowLayout,
  frame: RefObject<HTMLElement | null>,
): { readonly sight: Sight; look(): void } {
  const { items, rowHeight } = props
  const [sight, setSight] = useState<Sight>({ first: 0, count: 40 })
  const look = useRef(() => {})
  look.current = () => {
    const element = frame.current
    if (element === null) return
    const { scrollTop, clientHeight, scrollHeight } = element
    const top = Math.max(0, layout.rowAt(scrollTop) - spare)
    const first = top - (top % step)
    const count = Math.ceil(clientHeight / rowHeight) + 2 * spare + step
    setSight(before =>
      before.first === first && before.count === count ? before : { first, count },
    )
    const isEnd = scrollTop + clientHeight >= scrollHeight - 2
    props.onScroll?.({ isTop: scrollTop <= 2, isEnd })
    if (first + count >= items.length) props.onNearEnd?.()
  }
  useLayoutEffect(() => look.current(), [layout])
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const observer = new ResizeObserver(() => look.current())
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return { sight, look: () => look.current() }
}

function handleOf(
  frame: RefObject<HTMLElement | null>,
  layout: RowLayout,
  rowHeight: number,
): VirtualListHandle {
  return {
    showRow(row) {
      const element = frame.current
      if (element === null) return
      const top = layout.offsetOf(row)
      const { scrollTop, clientHeight } = element
      if (top < scrollTop) element.scrollTop = top
      else if (top + rowHeight > scrollTop + clientHeight) {
        element.scrollTop = top + rowHeight - clientHeight
      }
    },
    scrollToTop() {
      if (frame.current !== null) frame.current.scrollTop = 0
    },
    scrollToEnd() {
      if (frame.current !== null) frame.current.scrollTop = frame.current.scrollHeight
    },
    keepPlace(rowsAdded) {
      if (frame.current !== null) frame.current.scrollTop += rowsAdded * rowHeight
    },
  }
}

interface Kept<T> {
  readonly item: T
  readonly row: number
  /** Of all items. */
  readonly count: number
  readonly top: number
  readonly isOpen: boolean
  readonly renderRow: VirtualListProps<T>['renderRow']
  readonly renderDetail: VirtualListProps<T>['renderDetail']
  readonly node: VNode
}

/** The nodes of the rows in sight; one that shows the same as before is the very same node. */
function useRowsInSight<T>(
  { items, opened, keyOf, renderRow, renderDetail }: VirtualListProps<T>,
  layout: RowLayout,
  { first, count }: Sight,
  measure: (element: HTMLDivElement | null) => void,
): readonly VNode[] {
  const made = useRef(new Map<string, Kept<T>>()).current
  const inSight: VNode[] = []
  const used = new Set<string>()
  for (let row = first; row < Math.min(items.length, first + count); row++) {
    const item = items[row]!
    const key = keyOf(item)
    const isOpen = opened?.has(key) === true && renderDetail !== undefined
    const top = layout.offsetOf(row)
    let kept = made.get(key)
    const isSame =
      kept?.item === item &&
      kept.top === top &&
      kept.row === row &&
      kept.count === items.length &&
      kept.isOpen === isOpen &&
      kept.renderRow === renderRow &&
      (!isOpen || kept.renderDetail === renderDetail)
    if (kept === undefined || !isSame) {
      // Of a closed row all is known beforehand, so that nothing in it is asked for its size.
      const height = isOpen ? undefined : `${layout.offsetOf(row + 1) - top}px`
      const node = (
        <li
          key={key}
          class={isOpen ? 'virtual-row virtual-row-open' : 'virtual-row'}
          aria-setsize={items.length}
          aria-posinset={row + 1}
          style={{ top: `${top}px`, height }}
        >
          {renderRow(item, row)}
          {isOpen && (
            <div class="virtual-detail" data-key={key} ref={measure}>
              {renderDetail(item, row)}
            </div>
          )}
        </li>
      )
      kept = { item, row, count: items.length, top, isOpen, renderRow, renderDetail, node }
      made.set(key, kept)
    }
    used.add(key)
    inSight.push(kept.node)
  }
  for (const key of made.keys()) if (!used.has(key)) made.delete(key)
  return inSight
}

/** Watches the heights of elements with a `data-key`; returns what goes into their `ref`. */
function useMeasure(onHeight: (key: string, height: number) => void) {
  const latest = useRef(onHeight)
  latest.current = onHeight
  const [observer] = useState(
    () =>
      new ResizeObserver(entries => {
        for (const { target } of entries) {
          if (!target.isConnected) continue
          const { key } = (target as HTMLElement).dataset
          if (key !== undefined) latest.current(key, (target as HTMLElement).offsetHeight)
        }
      }),
  )
  useEffect(() => () => observer.disconnect(), [observer])
  return useRef((element: HTMLDivElement | null) => {
    if (element !== null) observer.observe(element)
  }).current
}
