import type { startBuiltHub } from '../e2e/built-hub.ts'
import { type Pos, openPos } from '../e2e/clients.ts'
import type { openPsp } from './outside.ts'

/** A shop of test mode, at the sandbox, and one of live mode, at a PSP of this machine. */
export async function openShopsOf(
  { url, secrets }: Awaited<ReturnType<typeof startBuiltHub>>,
  psp: Awaited<ReturnType<typeof openPsp>>,
): Promise<{ test: Pos; live: Pos }> {
  const token = secrets['OPERATOR_TOKEN']
  const operate = async (path: string, body: object): Promise<void> => {
    const answer = await fetch(`${url}/operator/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}: ${await answer.text()}`)
  }
  const [credentials] = psp.fake.accounts
  await operate('/accounts', { id: 'mollie', psp: 'mollie', mode: 'live', credentials, endpoint: psp.url })
  const live = await openPos(url, token, 'live')
  await operate(`/pos/${live.id}/routes`, { paymentMethod: '*', accounts: ['mollie'] })
  return { test: await openPos(url, token), live }
}
