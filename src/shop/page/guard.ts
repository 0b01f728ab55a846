/**
 * After a press that orders, sells or takes back, the same spot does nothing for a second: what was under it may have
 * become something else, such as "Complete the order" where "Order" was.
 */
const radius = 24
const milliseconds = 1_000

let spot: { readonly x: number; readonly y: number } | undefined
let waiting: ReturnType<typeof setInterval> | undefined

/** The second begins anew: another press came, or the answer, which may have put something else there. */
export function guardSpot(): void {
  clearInterval(waiting)
  waiting = setInterval(() => {
    clearInterval(waiting)
    spot = undefined
  }, milliseconds)
}

/** What has failed has changed nothing. */
export function releaseSpot(): void {
  spot = undefined
}

function onClick(event: MouseEvent): void {
  const { target, detail, clientX: x, clientY: y } = event
  const pressed = target instanceof Element && target.closest('a, button')
  // The keyboard has no spot.
  if (!pressed || detail === 0) return
  const isSame = spot && Math.hypot(x - spot.x, y - spot.y) < radius
  if (isSame || detail > 1) {
    event.preventDefault()
    event.stopPropagation()
  } else if (pressed.matches('.deed')) spot = { x, y }
  else return
  guardSpot()
}

export const listenForPresses = (): void => addEventListener('click', onClick, true)
