/** Shows what Swagger UI does not support: stability, scopes, removal dates, and operations without a "Try it out" panel. */

/** `here` is the URL for calls, `addresses` are the servers in the document. */
export function referencePlugin({ here, addresses }) {
  return ({ React }) => {
    const h = React.createElement
    const nothing = () => null

    const Badge = ({ kind, children }) => h('span', { className: `badge badge-${kind}` }, children)

    /** Beside the path of an operation: its stability. */
    function OperationBadges({ operation }) {
      const stability = operation.get('x-stability')
      const sunset = operation.get('x-deprecated-sunset')
      return h(
        'span',
        { className: 'badges' },
        operation.get('deprecated') && h(Badge, { kind: 'deprecated' }, `deprecated, ends ${sunset}`),
        stability && h(Badge, { kind: stability }, stability),
      )
    }

    /** Above the parameters: the scope that the key needs. */
    const OperationFacts = ({ operation }) =>
      h(
        'p',
        { className: 'facts' },
        operation.get('x-scope') ? 'Needs a key with the scope ' : 'Needs a key with any scope',
        h('code', null, operation.get('x-scope')),
        operation.get('x-hideTryItPanel') && '. It cannot be tried from this page.',
      )

    /** Beside a parameter: its stability and its limits. */
    function ParameterNote({ xKey, xVal }) {
      if (xKey === 'x-stability') return h(Badge, { kind: xVal }, xVal)
      const words = { minimum: 'At least', maximum: 'At most', maxLength: 'Characters: at most' }[xKey]
      return words && h('span', { className: 'limit' }, `${words} ${xVal}`)
    }

    const HeaderList = ({ headers, getComponent }) =>
      h(
        'ul',
        { className: 'headers-list' },
        Object.entries(headers).map(([name, { description }]) =>
          h('li', { key: name }, h(getComponent('Markdown', true), { source: `\`${name}\`: ${description}` })),
        ),
      )

    /** An error response in a few lines, since every operation has a dozen; the rest unfolds. */
    function BriefResponse({ code, response, getComponent }) {
      const Markdown = getComponent('Markdown', true)
      const examples = response.getIn(['content', 'application/json', 'examples'])
      return h(
        'tr',
        { className: 'response', 'data-code': code },
        h('td', { className: 'response-col_status' }, code),
        h(
          'td',
          { className: 'response-col_description' },
          h(Markdown, { source: response.get('description') }),
          h(
            'details',
            null,
            h('summary', null, examples ? 'Body and headers' : 'Headers'),
            examples
              ?.valueSeq()
              .map((example, i) => h('pre', { key: i }, JSON.stringify(example.get('value'), undefined, 2)))
              .toArray(),
            h(HeaderList, { headers: response.get('headers').toJS(), getComponent }),
          ),
        ),
      )
    }

    const ExactBody = ({ text, getComponent }) =>
      h(
        'div',
        null,
        h('h5', null, 'Response body'),
        h(
          getComponent('HighlightCode', true),
          { language: 'json', canCopy: true, downloadable: true, fileName: 'response.json' },
          text,
        ),
      )

    /** The page: introduction, operations, then the sections that apply to all of them. */
    function ReferenceLayout({ getComponent, specSelectors }) {
      const info = specSelectors.info()
      const [Markdown, Operations, Models, Errors] = ['Markdown', 'operations', 'Models', 'errors'].map((name) =>
        getComponent(name, true),
      )
      const SvgAssets = getComponent('SvgAssets')
      const [introduction, ...sections] = sectionsOf(info.get('description') ?? '')
      const tags = specSelectors.tags().map((tag) => tag.get('name'))
      return h(
        'div',
        { className: 'swagger-ui' },
        h(SvgAssets),
        h(Errors),
        h(
          'section',
          { className: 'wrapper introduction' },
          h('p', { className: 'lead' }, info.get('summary')),
          h(Markdown, { source: introduction.text }),
          h(Addresses, { version: info.get('version') }),
          h(
            'nav',
            { 'aria-label': 'On this page' },
            tags.map((tag) => h('a', { key: tag, href: `#operations-tag-${tag}` }, tag)).toArray(),
            sections.map(({ id, title }) => h('a', { key: id, href: `#${id}` }, title)),
            h('a', { href: '#schemas' }, 'Schemas'),
            h('a', { href: 'openapi.json' }, 'openapi.json'),
          ),
        ),
        h('div', { className: 'wrapper' }, h(Operations)),
        sections.map(({ id, title, text }) =>
          h(
            'section',
            { key: id, id, className: 'wrapper reference' },
            h('h2', null, title),
            h(Markdown, { source: text }),
          ),
        ),
        h('div', { id: 'schemas', className: 'wrapper' }, h(Models)),
      )
    }

    function Addresses({ version }) {
      const rows = [['Version', version], ...addresses.map(({ url, description }) => [description, url])]
      if (!addresses.some(({ url }) => url === here)) rows.push(['Calls from this page', here])
      return h(
        'dl',
        { className: 'addresses' },
        rows.map(([name, text]) => h('div', { key: name }, h('dt', null, name), h('dd', null, h('code', null, text)))),
      )
    }

    return {
      statePlugins: {
        spec: {
          wrapSelectors: {
            allowTryItOutFor: (original, system) => (state, path, method) =>
              original(state, path, method) &&
              !system.specSelectors.specJson().getIn(['paths', path, method, 'x-hideTryItPanel']),
          },
        },
      },
      components: { ReferenceLayout },
      wrapComponents: {
        // Replaced by the field at the top.
        authorizeBtn: () => nothing,
        authorizeOperationBtn: () => nothing,
        OperationServers: () => nothing,
        OperationExt: () => nothing,
        ParameterExt: () => ParameterNote,
        OperationSummaryPath: (Original, system) => (props) => {
          const { path, method } = props.operationProps.toObject()
          const operation = system.specSelectors.specJson().getIn(['paths', path, method])
          return h(React.Fragment, null, h(Original, props), h(OperationBadges, { operation }))
        },
        parameters: (Original) => (props) => h(React.Fragment, null, h(OperationFacts, props), h(Original, props)),
        headers: () => (props) =>
          h('div', null, h('h5', null, 'Headers'), h(HeaderList, { ...props, headers: props.headers.toJS() })),
        response: (Original) => (props) => h(Number(props.code) < 300 ? Original : BriefResponse, props),
        responseBody: (Original) => (props) => {
          const text = exactly(props.content)
          return text === undefined ? h(Original, props) : h(ExactBody, { text, getComponent: props.getComponent })
        },
      },
    }
  }
}

/** Splits the description at its second-level headings; the first part is the text before them. */
function sectionsOf(description) {
  return description.split(/^## /m).map((part, i) => {
    if (i === 0) return { text: part }
    const [title, ...lines] = part.split('\n')
    return { id: title.toLowerCase().replaceAll(/\W+/g, '-'), title, text: lines.join('\n') }
  })
}

/** Formats JSON without rounding integers, if the browser can; Swagger UI rounds beyond 2^53. */
function exactly(content) {
  if (typeof content !== 'string' || !JSON.rawJSON) return undefined
  try {
    const keepDigits = (_name, value, { source }) => (typeof value === 'number' ? JSON.rawJSON(source) : value)
    return JSON.stringify(JSON.parse(content, keepDigits), undefined, 2)
  } catch {
    return undefined
  }
}
