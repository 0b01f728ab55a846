/** Thrown if a rule applies to this service but cannot be checked. The message says why. It is not a failure. */
export class Unchecked extends Error {}
