/** Thrown where a rule cannot be checked, though it is for this service; its message says why. It is no failure. */
export class Unchecked extends Error {}
