import { json } from '../platform/http/respond.ts'
import { type Handler, routes } from '../platform/http/routes.ts'
import type { Health } from '../contract/pos-operations.ts'
import { VERSION } from '../platform/version.ts'

/** Tells that the hub answers, and its release. It reads nothing stored, so anyone may ask. */
const showHealth: Handler = () => json({ status: 'ok', version: VERSION } satisfies Health)

/** What monitors ask, and the deploy when it is done. */
export const health = routes((table) => table.get('/healthz', showHealth))
