/** The parts of the OpenAPI document that the pages read, and how references are followed. */
import type { SampleRequest } from '../docs/programs.ts'

/** A node, or a reference to a node elsewhere in the document. */
interface Referable {
  readonly $ref?: string
}

/** Nodes by name, in the order of the document. */
type Named<Node> = Readonly<Record<string, Node>>

export interface Schema extends Referable {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly description?: string
  readonly properties?: Named<Schema>
  readonly additionalProperties?: boolean
  readonly required?: readonly string[]
  readonly items?: Schema
  readonly oneOf?: readonly Schema[]
  readonly anyOf?: readonly Schema[]
  readonly discriminator?: { readonly propertyName: string; readonly mapping: Named<string> }
  readonly enum?: readonly unknown[]
  readonly 'x-extensible-enum'?: readonly unknown[]
  readonly default?: unknown
  readonly examples?: readonly unknown[]
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
}

/** How stable a part of the interface is. */
export interface Marked {
  readonly deprecated?: boolean
  readonly 'x-deprecated-sunset'?: string
  readonly 'x-stability'?: string
}

/** The content of a body. */
export interface Media {
  readonly schema: Schema
  readonly example?: unknown
  readonly examples?: Named<{ readonly value: unknown }>
}

interface Header extends Referable {
  readonly description: string
  readonly required?: boolean
  readonly schema: Schema
}

export interface Parameter extends Marked, Referable {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required?: boolean
  readonly description: string
  readonly example?: unknown
  readonly schema: Schema
}

export interface Response extends Referable {
  readonly description: string
  readonly headers?: Named<Header>
  readonly content?: Named<Media>
  readonly links?: Named<{ readonly operationId: string }>
}

export interface Operation extends Marked {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly parameters: readonly Parameter[]
  readonly requestBody?: { readonly required: boolean; readonly content: Named<Media> }
  readonly responses: Named<Response>
  readonly 'x-scope'?: string
  readonly 'x-codeSamples'?: readonly { readonly label: string; readonly source: string }[]
  readonly 'x-hideTryItPanel'?: boolean
  readonly 'x-hideTryItPanelReason'?: string
}

export interface OpenApi {
  readonly info: {
    readonly title: string
    readonly version: string
    readonly summary: string
    readonly description: string
    readonly contact: { readonly name: string }
    readonly license: { readonly name: string }
  }
  readonly servers: readonly { readonly url: string; readonly description: string }[]
  readonly paths: Named<Named<Operation>>
  readonly webhooks?: Named<{ readonly post: Operation }>
  readonly components: {
    readonly schemas: Named<Schema>
    readonly responses: Named<Response>
    readonly parameters: Named<Parameter>
    readonly headers: Named<Header>
    readonly securitySchemes: Named<{ readonly description: string }>
  }
}

/** An operation, with its position in the document. */
export interface Described {
  readonly method: string
  readonly path: string
  readonly node: Operation
  /** The request of its samples, with which its panel is filled at first. */
  readonly sample: SampleRequest
}

/** A document in the form in which its pages show it. */
export interface Book {
  readonly document: OpenApi
  /** The operations by id. */
  readonly operations: ReadonlyMap<string, Described>
  /** Returns the headers of the response, without those that all responses of this kind have. */
  unusualHeaders(response: Response, kind: 'success' | 'error'): string[]
  /**
   * Returns the address of the operation, schema, header or error with this name, or undefined if it is only shown
   * where it is used.
   */
  hrefOf(name: string): string | undefined
}

/** The name of the component that a reference leads to. */
export const nameOf = ({ $ref = '' }: Referable): string => $ref.slice($ref.lastIndexOf('/') + 1)

/** Follows references into the components. Members beside a reference take precedence. */
export function resolve<Node extends Referable>({ document }: Pick<Book, 'document'>, node: Node): Node {
  if (node.$ref === undefined) return node
  const [, , kind, name] = node.$ref.split('/')
  const { $ref: _, ...beside } = node
  const components: Named<Named<unknown>> = document.components
  return { ...resolve({ document }, components[kind as string]?.[name as string] as Node), ...beside }
}
