/** What a test asks from within a page, and the time that passes there; put there before the page's own scripts. */

/**
 * What comes again and again, and what waits for 10 s or more, waits until a test lets that time pass: on a busy machine no message
 * goes, no request times out and nothing is asked for again before the test has looked.
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
  /** Resolves once no request is under way. */
  async answered() {
    while (underWay > 0) await new Promise((done) => setSoon(done, 10))
  },

  /** Lets time pass once every request is answered, so that none times out. */
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

  /** Resolves after this many milliseconds of real time: by then, what the page does within that time is done. */
  soon: (milliseconds) => new Promise((done) => setSoon(done, milliseconds)),

  /** Also what is done soon after a frame. */
  twoFrames: () =>
    new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))),

  /** How far the content is wider than the window, in pixels. */
  overhang: () => document.documentElement.scrollWidth - document.documentElement.clientWidth,

  /** Resolves once what moves has come to its end: half transparent, a text has too little contrast. */
  async settle() {
    const moving = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)
    await Promise.allSettled(moving.map(({ finished }) => finished))
  },

  /** What goes beyond the window, unless it scrolls on its own. */
  beyond: () =>
    [...document.querySelectorAll('body *')]
      .filter((each) => each.checkVisibility() && !each.closest('pre, .table'))
      .filter((each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5)
      .map((each) => each.outerHTML.slice(0, 100)),

  /** Whether the top of an element is in the window. */
  isInView(selector) {
    const { top } = document.querySelector(selector).getBoundingClientRect()
    return top >= 0 && top < innerHeight
  },

  /** Whether what follows each element stands to its right. */
  isBeforeNext: (selector) =>
    [...document.querySelectorAll(selector)].every((each) => {
      const range = document.createRange()
      range.setStart(each.nextSibling, 0)
      range.setEnd(each.nextSibling, 1)
      return range.getBoundingClientRect().left >= each.getBoundingClientRect().right - 1
    }),

  /** Whatever of the browser outlives the page. */
  kept: async () => ({
    local: { ...localStorage },
    session: { ...sessionStorage },
    databases: await indexedDB.databases(),
    cookie: document.cookie,
  }),

  /** Controls that are smaller than this many pixels in a direction. */
  small: (least) =>
    [...document.querySelectorAll('button, input, select')]
      .filter((each) => each.checkVisibility({ contentVisibilityAuto: true }))
      .map((each) => (each.type === 'checkbox' ? each.closest('label') : each))
      .map((each) => ({ text: each.outerHTML.slice(0, 100), ...each.getBoundingClientRect().toJSON() }))
      .filter(({ width, height }) => Math.min(width, height) < least - 0.1)
      .map(({ text, width, height }) => `${text} (${width} × ${height})`),

  /** Whether the page is light. */
  isLight: () => light(colour(getComputedStyle(document.body).backgroundColor)) > 0.5,

  /** How the element at the keyboard is outlined. */
  outline: () => getComputedStyle(document.activeElement).outlineStyle,

  /** The texts in an element that lie over one another. */
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

  /** The texts in an element that have too little contrast with what is behind them (WCAG 2). */
  faint: (selector) =>
    textsIn(selector)
      .map(({ element, text }) => ({ text, ratio: contrast(element) }))
      .filter(({ ratio }) => ratio < 4.5)
      .map(({ text, ratio }) => `${text} (${ratio.toFixed(2)})`),
}

addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
  console.error(`the policy ${violatedDirective} refused ${blockedURI}`),
)

/** The visible texts in an element. */
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
