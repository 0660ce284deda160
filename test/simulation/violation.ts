/** A broken promise of the hub. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

/** Throws a violation that says what was `broken`, unless the promise `held`. */
export function promise(held: boolean, broken: string): void {
  if (!held) throw new Violation(broken)
}
