/** Scrolls the page while something is dragged near its upper or lower end. */

/** From the end, pixels. */
const edge = 56
/** Pixels of one step, and its time, ms: some 600 pixels a second. */
const stepPixels = 10
const stepMs = 16

/**
 * Until the returned function is called.
 * @param pointerY Where the pointer is in the window; undefined before it has moved.
 * @param onScrolled Called when the page lies elsewhere under the pointer.
 */
export function scrollAtEdges(
  inside: Element,
  pointerY: () => number | undefined,
  onScrolled: () => void,
): () => void {
  const scroller = inside.closest('.board:fullscreen, .view')
  const timer = setInterval(() => {
    const y = pointerY()
    if (scroller === null || y === undefined) return
    const { top, bottom } = scroller.getBoundingClientRect()
    const step = y < top + edge ? -stepPixels : y > bottom - edge ? stepPixels : 0
    const before = scroller.scrollTop
    if (step !== 0) scroller.scrollBy({ top: step, behavior: 'instant' })
    if (scroller.scrollTop !== before) onScrolled()
  }, stepMs)
  return () => clearInterval(timer)
}
