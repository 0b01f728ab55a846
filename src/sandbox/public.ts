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

interface SandboxOptions {
  /** A free one unless given. */
  readonly port?: number | undefined
  /** 127.0.0.1 unless given. */
  readonly host?: string | undefined
  /** The web pages that may call it; those of this machine unless given. */
  readonly corsOrigins?: readonly string[] | undefined
}

export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>
