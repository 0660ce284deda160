import * as v from 'valibot'

/**
 * What people and programs may do: `viewer` looks, `support` pulls payments and sends reports
 * again, `operator` does everything.
 */
export const Role = v.picklist(['viewer', 'support', 'operator'])
export type Role = v.InferOutput<typeof Role>

/**
 * Who asks the operator API, and how they proved it: by the `OPERATOR_TOKEN` secret, by a token of
 * their own, by a session of the console that a token began, or by Cloudflare Access.
 */
export type Operator = {
  name: string
  role: Role
  via: 'secret' | 'token' | 'session' | 'access'
  /** The id of the token that they sent, or that began their session. */
  token?: string
  /** When their session or the proof of Access ends (ms). */
  until?: number
}

/** Each role may do what those before it may. */
export function hasRole({ role }: Pick<Operator, 'role'>, needed: Role): boolean {
  return Role.options.indexOf(role) >= Role.options.indexOf(needed)
}
