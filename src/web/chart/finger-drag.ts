/**
 * A finger that is drawn sideways over a chart selects a stretch, as the mouse does. uPlot hears the mouse
 * only and is told of the finger in its words. Up and down the finger scrolls the page, as anywhere
 * (`touch-action` in chart.css): the browser cancels it then, and nothing is selected.
 */

/** Moved by less it may still be a tap, pixels. */
const slack = 8

/** For as long as the element is there. */
export function listenToFingers(over: HTMLElement): void {
  let start: PointerEvent | undefined
  let isDragging = false
  const tell = (type: string, { clientX, clientY }: PointerEvent) => {
    // uPlot takes no move for one that moved by nothing.
    const how = { button: 0, buttons: 1, bubbles: true, movementX: 1 }
    over.dispatchEvent(new MouseEvent(type, { clientX, clientY, ...how }))
  }
  const end = (at: PointerEvent) => {
    if (isDragging) {
      tell('mousemove', at)
      tell('mouseup', at)
    }
    start = undefined
    isDragging = false
  }
  over.addEventListener('pointerdown', event => {
    if (event.pointerType === 'touch' && event.isPrimary) start = event
  })
  over.addEventListener('pointermove', event => {
    if (start === undefined || event.pointerId !== start.pointerId) return
    if (!isDragging && Math.abs(event.clientX - start.clientX) < slack) return
    if (!isDragging) tell('mousedown', start)
    isDragging = true
    tell('mousemove', event)
  })
  over.addEventListener('pointerup', event => {
    if (event.pointerId === start?.pointerId) end(event)
  })
  // Back to where it began, so that nothing is selected.
  over.addEventListener('pointercancel', event => {
    if (event.pointerId === start?.pointerId) end(start)
  })
}
