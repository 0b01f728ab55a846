/**
 * Starts the reference: loads the document, shows all of it, and keeps the address, the list and the keyboard in step.
 */
import { effect, signal } from '@preact/signals'
import { render } from 'preact'
import { Anchor, announcement, Group, here, html } from './base.ts'
import { contract, outline, parse } from './contract.ts'
import { Guides, guides, loadGuides } from './guides.ts'
import { KeyField } from './key.ts'
import { Link, Markdown } from './markdown.ts'
import { Operation } from './operation.ts'
import { SharedErrors } from './responses.ts'
import { Body } from './schema.ts'
import { current, currentTitle, openSearch, Side } from './side.ts'

function Addresses() {
  const { info = {}, servers = [] } = contract.value
  const rows = [
    ['Version', info.version],
    ...servers.map(({ url, description }) => [description ?? 'Server', new URL(url, here).href.replace(/\/$/, '')]),
  ]
  if (!rows.some(([, url]) => url === here)) rows.push(['Calls from this page', here])
  const row = ([name, text]: (typeof rows)[number]) =>
    html`<div><dt class="quiet">${name}</dt><dd><code>${text}</code></dd></div>`
  return html`<dl class="addresses">${rows.map(row)}</dl>`
}

function About() {
  const { contact, license, termsOfService } = contract.value.info ?? {}
  const mail = contact?.email && html`<a href="mailto:${contact.email}">${contact.email}</a>`
  return html`<p class="limits quiet">
    <a href="openapi.json">openapi.json</a>
    ${contact && html` · Contact: <${Link} to=${contact.url}>${contact.name ?? contact.url}<//> ${mail}`}
    ${license && html` · License: <${Link} to=${license.url}>${license.name}<//>`}
    ${termsOfService && html` · <${Link} to=${termsOfService}>Terms of service<//>`}
  </p>`
}

function Reference() {
  const { introduction, groups, sections, schemas } = outline.value
  return html`
    <section class="part" id="introduction"><div class="words">
      <p class="lead quiet">${contract.value.info?.summary}</p>
      <${Markdown} text=${introduction} top=${2} />
      <${Addresses} />
      <${About} />
    </div></section>
    <${Guides} onDraw=${showPlace} />
    ${groups.map(
      ({ id, name, description, operations }) => html`<${Group} id=${id} key=${id} title=${name}>
      <div class="words"><${Markdown} text=${description} /></div>
      ${operations.map((operation) => html`<${Operation} key=${operation.id} operation=${operation} />`)}
    <//>`,
    )}
    <${SharedErrors} />
    ${sections.map(
      ({ id, title, text }) => html`<section class="part" key=${id} id=${id}>
        <h2>${title} <${Anchor} id=${id} title=${title} /></h2>
        <div class="wide"><${Markdown} text=${text} top=${3} /></div>
      </section>`,
    )}
    ${
      schemas.length > 0 &&
      html`<${Group} title="Schemas">${schemas.map(
        ({ id, name, node }) => html`<section class="part schema" key=${id} id=${id}>
          <h3>${name} <${Anchor} id=${id} title=${name} /></h3>
          <div class="words"><${Body} type="" schema=${node} /></div>
        </section>`,
      )}<//>`
    }`
}

/**
 * Where the reader is: the first part that goes on below the place where the target of a link is put, and where its top
 * is.
 */
function placeOf() {
  const line = Number.parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) + 8
  const parts = [...document.querySelectorAll('main .part[id]')]
  const part = parts.find((each) => each.getBoundingClientRect().bottom > line)
  return part && { id: part.id, top: part.getBoundingClientRect().top }
}

const follow = () => {
  current.value = placeOf()?.id ?? current.value
}

/**
 * Keeps that with the address, for the way back and for a reload: the browser would go back by as many pixels, before
 * the guides
 * are there.
 */
const keepPlace = () => {
  if (guides.value.length > 0) history.replaceState(placeOf(), '')
}

/** What the address names and the page does not have. */
const unknown = signal('')

/** As it is if it is encoded wrongly. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Shows that place, or else the part that the address names, also in the form of the former page, such as
 * #/animals/listPets.
 */
function showPlace(): void {
  const { id = decoded(location.hash.slice(1)).replace(/^\/[^/]+\//, ''), top } = history.state ?? {}
  const target = document.getElementById(id)
  for (let fold = target?.closest('details'); fold; fold = fold.parentElement?.closest('details')) fold.open = true
  unknown.value = target || id === '' || guides.value.length === 0 ? '' : id
  target?.scrollIntoView()
  if (target && top !== undefined) scrollBy(0, target.getBoundingClientRect().top - top)
  follow()
}

function Page() {
  return html`<header class="masthead">
      <a class="skip hidden" href="#reference">Skip to the reference</a>
      <h1 class="brand"><img src="docs/favicon.svg" alt="" width="32" height="32" />${contract.value.info?.title}</h1>
      <a class="other" href="shop">The shop, for staff</a>
      <${KeyField} />
    </header>
    <div class="columns"><${Side} /><main id="reference" tabindex="-1">
      ${unknown.value && html`<p class="part problem" role="alert">Nothing here is called “${unknown.value}”.</p>`}
      <${Reference} />
    </main></div>
    <p class="hidden" role="status">${announcement.value}</p>`
}

history.scrollRestoration = 'manual'
addEventListener('popstate', showPlace)
addEventListener('scroll', follow)
addEventListener('scrollend', keepPlace)

addEventListener('keydown', (event) => {
  const isTyping = event.target instanceof Element && event.target.matches('input, select, textarea')
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping) return
  event.preventDefault()
  openSearch()
})

const page = document.getElementById('page') ?? document.body

async function start(): Promise<void> {
  const response = await fetch('openapi.json')
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`)
  contract.value = parse(await response.text())
  const title = contract.value.info?.title ?? document.title
  effect(() => {
    const isIntroduction = current.value === 'introduction' || !currentTitle.value
    document.title = isIntroduction ? title : `${currentTitle.value} · ${title}`
  })
  page.replaceChildren()
  render(html`<${Page} />`, page)
  loadGuides()
}

start().catch((error: unknown) => {
  const text =
    'The reference could not be loaded ' +
    `(${error instanceof Error ? error.message : error}). Reload the page to try again.`
  page.replaceChildren()
  render(html`<main class="notice"><h1>Reference</h1><p role="alert">${text}</p></main>`, page)
})
