/**
 * The parts of an OpenAPI document that the page reads. All are optional: the page shows any document as far as it
 * goes.
 */

/** A node, or a reference to one elsewhere in the document. */
export interface Referable {
  readonly $ref?: string
}

/** By name, in the order of the document. */
export type Named<Node> = Readonly<Record<string, Node>>

/** `true` allows any value, `false` none. */
export type AnySchema = Schema | boolean

export interface Schema extends Referable {
  readonly type?: string | readonly string[]
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly properties?: Named<AnySchema>
  readonly patternProperties?: Named<AnySchema>
  readonly additionalProperties?: AnySchema
  readonly required?: readonly string[]
  readonly items?: AnySchema
  readonly prefixItems?: readonly AnySchema[]
  readonly oneOf?: readonly AnySchema[]
  readonly anyOf?: readonly AnySchema[]
  readonly allOf?: readonly AnySchema[]
  readonly not?: AnySchema
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly default?: unknown
  readonly example?: unknown
  readonly examples?: readonly unknown[]
  readonly minimum?: number
  /** Keywords that are shown as they are. */
  readonly [keyword: string]: unknown
}

export interface Marked {
  readonly deprecated?: boolean
  readonly 'x-deprecated-sunset'?: string
  readonly 'x-stability'?: string
}

export interface Example extends Referable {
  readonly summary?: string
  readonly value?: unknown
}

/** What a body is. */
export interface Media {
  readonly schema?: AnySchema
  readonly example?: unknown
  readonly examples?: Named<Example>
}

export interface Header extends Media, Referable {
  readonly description?: string
}

export interface Parameter extends Header, Marked {
  readonly name: string
  readonly in: string
  readonly required?: boolean
  readonly content?: Named<Media>
  readonly style?: string
  readonly explode?: boolean
}

export interface RequestBody extends Referable {
  readonly description?: string
  readonly required?: boolean
  readonly content?: Named<Media>
}

export interface Response extends Referable {
  readonly description?: string
  readonly headers?: Named<Header>
  readonly content?: Named<Media>
  readonly links?: Named<unknown>
}

export interface CodeSample {
  readonly lang: string
  readonly label?: string
  readonly source: string
}

/** The scopes that a key needs, by the name of its scheme. */
export type SecurityRequirement = Named<readonly string[]>

export interface Operation extends Marked {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  /** Partial, as a reference has neither name nor place. */
  readonly parameters?: readonly Partial<Parameter>[]
  readonly requestBody?: RequestBody
  readonly responses?: Named<Response>
  readonly security?: readonly SecurityRequirement[]
  readonly externalDocs?: { readonly url?: string; readonly description?: string }
  readonly 'x-scope'?: string
  readonly 'x-codeSamples'?: readonly CodeSample[]
  readonly 'x-hideTryItPanel'?: boolean
  readonly 'x-hideTryItPanelReason'?: string
}

type Method = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch' | 'trace'

export interface PathItem extends Referable, Partial<Readonly<Record<Method, Operation>>> {
  readonly parameters?: readonly Partial<Parameter>[]
}

export interface SecurityScheme extends Referable {
  readonly type?: string
  readonly in?: string
  readonly name?: string
  readonly description?: string
  readonly 'x-pattern'?: string
}

export interface Tag {
  readonly name: string
  readonly description?: string
}

interface Info {
  readonly title?: string
  readonly version?: string
  readonly summary?: string
  readonly description?: string
  readonly termsOfService?: string
  readonly contact?: { readonly name?: string; readonly url?: string; readonly email?: string }
  readonly license?: { readonly name?: string; readonly url?: string }
}

export interface OpenApi {
  readonly info?: Info
  readonly servers?: readonly { readonly url: string; readonly description?: string }[]
  readonly tags?: readonly Tag[]
  readonly paths?: Named<PathItem>
  readonly webhooks?: Named<PathItem>
  readonly components?: { readonly schemas?: Named<AnySchema>; readonly securitySchemes?: Named<SecurityScheme> }
  readonly security?: readonly SecurityRequirement[]
}
