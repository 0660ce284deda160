import { type Pos, type JobJson, create, order, send, tokenFor } from '../../support/hub.ts'
import { stored } from '../../support/job.ts'
import { operate } from '../../support/operator.ts'
import { addAccount, route } from '../../support/psp-world.ts'
import { type PlayedWorld, TOO_BUSY, pass } from './world.ts'

/** Two accounts for every method, one whose key is wrong for cards, and one that no route leads to any more. */
export async function openAccounts({ mollie }: PlayedWorld, pos: Pos) {
  const at = { fake: mollie, psp: 'mollie' }
  const accounts = { first: await addAccount(at, 0), second: await addAccount(at, 1) }
  const unrouted = await addAccount(at, 1)
  await route(pos, 'ideal', unrouted)
  await route(pos, 'ideal')
  await operate('POST', `/accounts/${unrouted}/credentials`, { credentials: mollie.accounts[1] })
  await operate('POST', '/accounts', {
    id: 'wrong-key',
    psp: 'mollie',
    mode: 'live',
    credentials: { apiKey: 'live_nobodysaccount3' },
  })
  await route(pos, 'creditcard', 'wrong-key')
  await route(pos, '*', accounts.first, accounts.second)
  return { ...accounts, unrouted }
}

async function begin(token: string, name: string, changes: object = {}): Promise<string> {
  const response = await create(token, { ...order, order_number: name.toUpperCase(), ...changes })
  if (response.status !== 201) throw new Error(`no job ${name}: ${await response.text()}`)
  return (await response.json<JobJson>()).paymentJob
}

/** Jobs at a PSP that answers, and at one that does not. */
export async function playLiveShop(world: PlayedWorld, pos: Pos) {
  const token = await tokenFor(pos)
  // Ends within its minute: its birth and its end are one row.
  const quick = await begin(token, 'quick')
  world.mollie.bring(quick, 'paid')
  await send(`/return/${quick}`)
  const unanswered = await begin(token, 'unanswered')
  // Its shop has cancelled it, and what the PSP tells of it now could not be asked for yet.
  const asked = await begin(token, 'asked')
  await send(`/v2/paymentjobs/${asked}/cancel`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  })
  world.break(0, TOO_BUSY)
  await send(`/return/${unanswered}`)
  const { account, announcement } = await stored(asked)
  const reference = announcement.is === 'announced' ? announcement.reference : ''
  await send(`/notifications/${account}/${asked}`, {
    method: 'POST',
    body: new URLSearchParams({ id: reference }),
  })
  const elsewhere = await begin(token, 'elsewhere')
  const skipped = await begin(token, 'skipped')
  world.break(1, TOO_BUSY)
  const waiting = await begin(token, 'waiting')
  const notAsked = await begin(token, 'not-asked')
  const refusedAccount = await begin(token, 'refused-account', { payment_method: 'creditcard' })
  world.break(0, null)
  world.break(1, null)
  pass(1000)
  // The weather of iDEAL is bad now: a bank transfer is taken at once, and its row rests.
  const resting = await begin(token, 'resting', { payment_method: 'banktransfer' })
  return {
    token,
    jobs: { quick, unanswered, asked, elsewhere, skipped, waiting, notAsked, refusedAccount, resting },
  }
}
