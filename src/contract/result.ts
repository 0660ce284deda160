/** A value, or the reason why there is none. */
export type Result<Value, Reason> = { ok: true; value: Value } | { ok: false; error: Reason }

export function ok<Value>(value: Value): { ok: true; value: Value } {
  return { ok: true, value }
}

export function refuse<const Reason>(error: Reason): { ok: false; error: Reason } {
  return { ok: false, error }
}
