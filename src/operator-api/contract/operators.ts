import * as v from 'valibot'
import { Role } from './role.ts'

/** What the operator API answers about who asks it, and who may. */

/** The answer of `GET /me`. `until` is when the session or the proof of Access ends; null where it does not. */
export const Me = v.object({
  name: v.string(),
  role: Role,
  via: v.picklist(['secret', 'token', 'session', 'access']),
  until: v.nullable(v.string()),
})
export type Me = v.InferOutput<typeof Me>

/** A named token. `revoked` is when it ended, or null. */
export const OperatorToken = v.object({
  id: v.string(),
  name: v.string(),
  role: Role,
  created: v.string(),
  createdBy: v.string(),
  revoked: v.nullable(v.string()),
})
export type OperatorToken = v.InferOutput<typeof OperatorToken>

/** The answer of `GET /tokens`, oldest first. */
export const OperatorTokenList = v.object({ tokens: v.array(OperatorToken) })
export type OperatorTokenList = v.InferOutput<typeof OperatorTokenList>

/** The answer of `POST /tokens`: the only one that shows the token. */
export const OperatorTokenCreated = v.object({ ...OperatorToken.entries, token: v.string() })
export type OperatorTokenCreated = v.InferOutput<typeof OperatorTokenCreated>

/** The answer of `POST /sessions`: what the console keeps in its cookie for the token that asked, and until when it counts. */
export const SessionBegun = v.object({ session: v.string(), until: v.string() })
export type SessionBegun = v.InferOutput<typeof SessionBegun>

/** The answer of `POST /sessions/end`: whether there was one to end. The cookie is gone in any case. */
export const SessionEnded = v.object({ ended: v.boolean() })
export type SessionEnded = v.InferOutput<typeof SessionEnded>
