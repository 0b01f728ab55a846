/** Starts the reference page: loads the document into Swagger UI, and passes it the key from the field at the top. */
import { referencePlugin } from './plugin.js'

const darkness = matchMedia('(prefers-color-scheme: dark)')
const followDarkness = () => document.documentElement.classList.toggle('dark-mode', darkness.matches)
darkness.addEventListener('change', followDarkness)
followDarkness()

const keyField = document.getElementById('key')
const keyState = document.getElementById('key-state')
const showButton = document.getElementById('key-show')

/** The key stays in memory: it is never stored, and sent only with the calls. */
function useKey(ui) {
  const key = keyField.value.trim()
  if (key !== '') ui.preauthorizeApiKey('apiKey', key)
  else if (ui.authSelectors.authorized()?.size) ui.authActions.logout(['apiKey'])
  keyState.textContent = key
    ? 'Calls from this page use this key; it is forgotten on reload.'
    : 'Enter a key to try the operations below.'
}

showButton.addEventListener('click', () => {
  const isShown = !keyField.classList.toggle('concealed')
  showButton.textContent = isShown ? 'Hide' : 'Show'
  showButton.setAttribute('aria-pressed', String(isShown))
})
keyField.form.addEventListener('submit', (event) => event.preventDefault())

async function start() {
  const response = await fetch('openapi.json')
  if (!response.ok) throw new Error(`openapi.json: ${response.status}`)
  const spec = await response.json()
  // Calls go to the service that served the page: the only origin that needs no CORS and that the page's CSP allows.
  const here = new URL('v1', document.baseURI).href
  const ui = window.SwaggerUIBundle({
    spec: { ...spec, servers: [{ url: here }] },
    dom_id: '#reference',
    plugins: [referencePlugin({ here, addresses: spec.servers })],
    layout: 'ReferenceLayout',
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    persistAuthorization: false,
    showCommonExtensions: true,
    showExtensions: true,
    syntaxHighlight: { theme: 'tomorrow-night' },
    validatorUrl: null,
    onComplete() {
      keyField.addEventListener('input', () => useKey(ui))
      useKey(ui)
      document.getElementById(location.hash.slice(1))?.scrollIntoView()
    },
  })
}

start().catch((error) => {
  const notice = document.createElement('p')
  notice.className = 'notice'
  notice.textContent = `The reference could not be loaded (${error.message}). Reload the page to try again.`
  document.getElementById('reference').replaceChildren(notice)
})
