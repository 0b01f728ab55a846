/** What the package hands out as `petstore-server/sandbox`; its types are made from this file alone. */
import type * as testing from '../../client/src/testing.ts'

type WithoutShop<F> = F extends (shop: testing.TestedShop, ...rest: infer R) => infer A ? (...rest: R) => A : never

/** A shop of its own: where it is, as a `PetStore` takes it, and the functions of `petstore-client/testing` for it. */
export type TestShop = testing.TestedShop & {
  readonly [name in keyof typeof testing]: WithoutShop<(typeof testing)[name]>
}

export interface Sandbox {
  /** The base URL for clients, which ends in `/v1`. */
  readonly url: string
  /** The shop of a key; a new one unless given. */
  shop(key?: string): TestShop
  close(): Promise<void>
}

/** On a free port of 127.0.0.1 unless given. */
export declare function startSandbox(options?: { readonly port?: number; readonly host?: string }): Promise<Sandbox>
