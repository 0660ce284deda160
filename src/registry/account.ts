import * as v from 'valibot'

/** Whether money moves. */
export const Mode = v.picklist(['test', 'live'])
export type Mode = v.InferOutput<typeof Mode>

/** An account at a PSP. `sealed` holds its credentials (see `crypto/seal.ts`), bound to `id`. */
export const Account = v.object({ id: v.string(), psp: v.string(), mode: Mode, sealed: v.string() })
export type Account = v.InferOutput<typeof Account>

/** The account of every test-mode point of sale. It has no row in D1: its credentials are the hub's own. */
export const SANDBOX_ACCOUNT: Account = { id: 'sandbox', psp: 'sandbox', mode: 'test', sealed: '' }
