import { waitUntil } from 'cloudflare:workers'
import { log } from '../../platform/log.ts'
import { noteRefused } from '../../registry/accounts.ts'
import type { Way } from '../answer.ts'

/**
 * Logs that the PSP refused an account when the hub asked about a job, and makes the account's state say so
 * at once. A refused terminal says nothing about the account's other payments.
 */
export function reportRefused(
  env: Env,
  way: Way['way'],
  refused: { job: string; pos: string; account: string; message: string; kind?: string },
): void {
  log.error('psp.account-refused', refused)
  const { account, message } = refused
  if (way === 'page')
    waitUntil(
      noteRefused(env.DB, account, message, Date.now()).catch((error: unknown) =>
        log.fault('account.check-failed', error, { account }),
      ),
    )
}
