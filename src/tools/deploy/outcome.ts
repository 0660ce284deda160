/** What a part of the deploy came to: a value, or why it stopped and what the operator can do, in words. */
export type Outcome<Value> = { ok: true; value: Value } | { ok: false; why: string }

export function done<Value>(value: Value): Outcome<Value> {
  return { ok: true, value }
}

export function stopped(why: string): Outcome<never> {
  return { ok: false, why }
}
