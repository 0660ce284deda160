/** A promise of the hub that was broken. */
export class Violation extends Error {
  override readonly name = 'Violation'
}

/** Throws what was promised and not kept, unless `held`. */
export function promise(held: boolean, broken: string): void {
  if (!held) throw new Violation(broken)
}
