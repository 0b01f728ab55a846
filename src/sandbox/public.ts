/** The exports of `petstore-server/sandbox`. The types of the package are made from this file alone. */
import type * as testing from '../../client/src/testing.ts'

type WithoutShop<F> = F extends (shop: testing.TestedShop, ...rest: infer R) => infer A ? (...rest: R) => A : never

/**
 * One shop: its address and key, as a `PetStore` takes them, and the functions of `petstore-client/testing` as methods.
 */
export type TestShop = testing.TestedShop & {
  readonly [name in keyof typeof testing]: WithoutShop<(typeof testing)[name]>
}

export interface Sandbox {
  /** The base URL for clients, which ends in `/v1`. */
  readonly url: string
  /** The shop of a key. By default, it is a new shop. */
  shop(key?: string): TestShop
  close(): Promise<void>
}

interface SandboxOptions {
  /** The default is a free port. */
  readonly port?: number | undefined
  /** The default is 127.0.0.1. */
  readonly host?: string | undefined
  /** The origins of the web pages that may call the sandbox. By default, these are the pages of this machine. */
  readonly corsOrigins?: readonly string[] | undefined
}

export declare function startSandbox(options?: SandboxOptions): Promise<Sandbox>
