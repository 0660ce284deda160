/** What a part of the deploy came to: a value, or why it stopped and what the operator can do, in words. */
export type Outcome<Value> = { ok: true; value: Value } | { ok: false; why: string }

export const done = <Value>(value: Value): Outcome<Value> => ({ ok: true, value })

export const stopped = (why: string): Outcome<never> => ({ ok: false, why })
