/** What a test asks from within a page, and the time that passes there. It is added before the page's own scripts. */

/**
 * Repeated timers, and timers of 10 s or more, wait until a test lets that time pass. So on a busy machine no message
 * disappears, no request times out and nothing is read again before the test has looked.
 */
const waiting = new Map()
let [passed, lastTimer] = [0, 1e9]

function wait(run, delay, every) {
  waiting.set(++lastTimer, { at: passed + delay, every, run })
  return lastTimer
}

const [setSoon, clearSoon] = [setTimeout, clearTimeout]
globalThis.setTimeout = (run, delay = 0, ...args) =>
  delay < 10_000 ? setSoon(run, delay, ...args) : wait(() => run(...args), delay)
globalThis.setInterval = (run, delay, ...args) => wait(() => run(...args), delay, delay)
globalThis.clearTimeout = globalThis.clearInterval = (id) => void (waiting.delete(id) || clearSoon(id))
AbortSignal.timeout = (delay) => {
  const aborter = new AbortController()
  wait(() => aborter.abort(new DOMException('', 'TimeoutError')), delay)
  return aborter.signal
}

let underWay = 0
const ask = fetch.bind(globalThis)
globalThis.fetch = (...args) => {
  underWay++
  return ask(...args).finally(() => underWay--)
}

globalThis.probe = {
  /** Resolves once no request is in progress. */
  async answered() {
    while (underWay > 0) await new Promise((done) => setSoon(done, 10))
  },

  /** Lets time pass after every request was answered, so that none times out. */
  async pass(milliseconds) {
    await probe.answered()
    const end = passed + milliseconds
    for (;;) {
      const [next] = [...waiting].filter(([, { at }]) => at <= end).sort(([, a], [, b]) => a.at - b.at)
      if (!next) break
      const [id, { at, every, run }] = next
      passed = at
      if (every) waiting.set(id, { at: at + every, every, run })
      else waiting.delete(id)
      run()
    }
    passed = end
  },

  /**
   * Resolves after this many milliseconds of real time. By then, everything that the page does within that time is
   * done.
   */
  soon: (milliseconds) => new Promise((done) => setSoon(done, milliseconds)),

  /** This also waits for what is done soon after a frame. */
  twoFrames: () =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))),

  /** By how many pixels the content is wider than the window. */
  overhang: () => document.documentElement.scrollWidth - document.documentElement.clientWidth,

  /** Resolves once all animations have ended, because a half transparent text has too little contrast. */
  async settle() {
    const moving = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
    await Promise.allSettled(moving.map(({ finished }) => finished))
  },

  /** Returns what extends beyond the window, unless it scrolls by itself or is only for screen readers. */
  beyond: () =>
    [...document.querySelectorAll('body *')]
      .filter((each) => each.checkVisibility() && !each.closest('pre, .table, .hidden'))
      .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
      .map((each) => each.outerHTML.slice(0, 100)),

  /** By how many pixels the placeholder of a field is too long for the field. */
  excess(selector) {
    const field = document.querySelector(selector)
    const { font, paddingLeft, paddingRight } = getComputedStyle(field)
    const context = document.createElement('canvas').getContext('2d')
    context.font = font
    const room = field.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight)
    return Math.max(0, Math.ceil(context.measureText(field.placeholder).width - room))
  },

  /** Whether the top of an element is in the window. */
  isInView(selector) {
    const { top } = document.querySelector(selector).getBoundingClientRect()
    return top >= 0 && top < innerHeight
  },

  /** Whether the element after each of these elements stands to its right. */
  isBeforeNext: (selector) =>
    [...document.querySelectorAll(selector)].every((each) => {
      const range = document.createRange()
      range.setStart(each.nextSibling, 0)
      range.setEnd(each.nextSibling, 1)
      return range.getBoundingClientRect().left >= each.getBoundingClientRect().right - 1
    }),

  /** Returns everything in the browser that outlives the page. */
  kept: async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    cookie: document.cookie,
  }),

  /** Returns the controls that are smaller than this many pixels in one direction. */
  small: (least) =>
    [...document.querySelectorAll('button, input, select')]
      .filter((each) => each.checkVisibility({ contentVisibilityAuto: true }))
      .map((each) => (each.type === 'checkbox' ? each.closest('label') : each))
      .map((each) => ({ text: each.outerHTML.slice(0, 100), ...each.getBoundingClientRect().toJSON() }))
      .filter(({ width, height }) => Math.min(width, height) < least - 0.1)
      .map(({ text, width, height }) => `${text} (${width} × ${height})`),

  /** Whether the page is light. */
  isLight: () => light(colour(getComputedStyle(document.body).backgroundColor)) > 0.5,

  /** Returns the outline of the element that has the focus. */
  outline: () => getComputedStyle(document.activeElement).outlineStyle,

  /** Returns the texts in an element that overlap. */
  overlaps(selector) {
    const boxes = textsIn(selector).map(({ node, text }) => {
      const range = document.createRange()
      range.selectNodeContents(node)
      return { text, ...range.getBoundingClientRect().toJSON() }
    })
    return boxes.flatMap((a, i) =>
      boxes
        .slice(i + 1)
        .filter((b) => a.left < b.right && b.left < a.right && a.top + 1 < b.bottom && b.top + 1 < a.bottom)
        .map((b) => `${a.text} / ${b.text}`),
    )
  },

  /** Returns the texts in an element that have too little contrast with their background (WCAG 2). */
  faint: (selector) =>
    textsIn(selector)
      .map(({ element, text }) => ({ text, ratio: contrast(element) }))
      .filter(({ ratio }) => ratio < 4.5)
      .map(({ text, ratio }) => `${text} (${ratio.toFixed(2)})`),
}

addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error(`the policy ${violatedDirective} refused ${blockedURI}`),
)

/** Returns the visible texts in an element. */
function textsIn(selector) {
  const texts = []
  const walker = document.createTreeWalker(document.querySelector(selector), NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const node = walker.currentNode
    const element = node.parentElement
    const text = node.textContent.trim()
    if (text !== '' && element.checkVisibility()) texts.push({ node, element, text })
  }
  return texts
}

function contrast(element) {
  let behind = [255, 255, 255]
  let opacity = 1
  const line = []
  for (let at = element; at; at = at.parentElement) line.unshift(getComputedStyle(at))
  for (const style of line) {
    behind = over(colour(style.backgroundColor), behind)
    opacity *= Number(style.opacity)
  }
  const [r, g, b, a] = colour(getComputedStyle(element).color)
  const [dark, bright] = [light(over([r, g, b, a * opacity], behind)), light(behind)].sort((x, y) => x - y)
  return (bright + 0.05) / (dark + 0.05)
}

function colour(css) {
  const [r, g, b, a = 1] = css.match(/[\d.]+/g).map(Number)
  return [r, g, b, a]
}

const over = ([r, g, b, a], below) => [r, g, b].map((part, i) => part * a + below[i] * (1 - a))

/** Relative luminance. */
function light(rgb) {
  const [r, g, b] = rgb.map((part) => (part <= 10 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4))
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}
