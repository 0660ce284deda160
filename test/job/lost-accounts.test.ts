import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../src/contract/timestamp.ts'
import { announceAgain } from '../../src/job/account-calls.ts'
import { duties } from '../../src/job/core/duties.ts'
import { askWith, createJob, send } from '../support/hub/hub.ts'
import { RETENTION, ringFor, ringNext, stored, untilNothingIsDue } from '../support/jobs/job.ts'
import { liveShop } from '../support/shops/live-pos.ts'
import { loggedOf } from '../support/logged.ts'
import { answerTo, operate } from '../support/hub/operator.ts'
import { refundsOf } from '../support/psp-world.ts'
import { placedAtTerminal } from '../support/jobs/why-jobs.ts'

const shop = liveShop()

/** A job, and the account that has its payment. */
async function make() {
  const { paymentJob } = await createJob(shop.token)
  const { account } = await stored(paymentJob)
  return { paymentJob, account }
}
function refuseKey() {
  return void (shop.world.fault = () =>
    Response.json({ status: 401, title: 'Unauthorized' }, { status: 401 }))
}

describe('an account that an operator has removed', () => {
  /** An operator removes it from the shop's route, and from the hub. */
  const remove = async (account: string): Promise<void> => {
    for (const [path, body] of [
      [`/pos/${shop.pos.id}/routes`, { paymentMethod: '*', accounts: [] }],
      [`/accounts/${account}/remove?force=1`, undefined],
    ] as const)
      expect((await operate('POST', path, body)).status).toBe(200)
  }

  it('announces no job: the job and the log say why', async () => {
    refuseKey()
    const { paymentJob, account } = await make()
    await remove(account)
    shop.world.fault = null
    const errors = vi.spyOn(console, 'error')
    expect(await ringNext(paymentJob)).toMatchObject({ status: 'PENDING', announcement: 'due' })
    expect(loggedOf(errors, paymentJob)[0]).toMatchObject({ event: 'psp.account-unknown', account })
  })

  it('ends an order that no account took: a day after its create it has expired', async () => {
    refuseKey()
    const { paymentJob, account } = await make()
    await remove(account)
    vi.spyOn(console, 'error').mockReturnValue()
    await ringFor(paymentJob, DAY + HOUR)
    expect(await stored(paymentJob)).toMatchObject({ status: 'EXPIRED' })
  })

  it('refuses an order at once whose terminal has not been asked yet', async () => {
    vi.spyOn(console, 'error').mockReturnValue()
    const asked = { now: Date.now(), isFirst: true }
    const [attempt] = await announceAgain(env, placedAtTerminal().state, asked)
    expect(attempt?.outcome).toEqual({
      is: 'refused',
      message: expect.stringMatching(/^terminal_unreachable: /),
    })
    const [later] = await announceAgain(env, placedAtTerminal().state, { ...asked, isFirst: false })
    expect(later?.outcome).toMatchObject({ is: 'no-answer', accountRefused: true })
  })

  it('shows no payment: the job and the log say why, and the hub keeps asking by its plan', async () => {
    const { paymentJob, account } = await make()
    await remove(account)
    const errors = vi.spyOn(console, 'error')
    expect(await ringNext(paymentJob)).toMatchObject({ status: 'PENDING', announcement: 'announced' })
    const once = [{ event: 'psp.account-unknown', account }, { event: 'psp.account-refused' }]
    expect(loggedOf(errors, paymentJob)).toMatchObject(once)
    expect(await answerTo('GET', `/jobs/${paymentJob}`)).toMatchObject({
      why: { cause: 'psp-refuses-credentials', move: 'operator' },
    })
    const next = duties(await stored(paymentJob), Date.now(), RETENTION).find((duty) => duty.do === 'ask')
    expect(next?.at).toBeGreaterThan(Date.now() + MINUTE)
  })

  it('keeps no job for ever: the hub asks about its refund for ninety days, more and more rarely', async () => {
    const { paymentJob, account } = await make()
    shop.world.fake.bring(paymentJob, 'paid')
    await send(`/return/${paymentJob}`)
    await askWith(shop.token, 'POST', `/v2/paymentjobs/${paymentJob}/refunds`, { amount: '1.00' })
    await untilNothingIsDue(paymentJob)
    await remove(account)
    const paidAt = Date.now()
    const isOver = async () => {
      const owed = duties(await stored(paymentJob), Date.now(), RETENTION)
      return owed.every((duty) => duty.do === 'purge')
    }
    for (let rings = 0; !(await isOver()); rings++) {
      if (rings === 120) throw new Error('the job never comes to rest')
      await ringNext(paymentJob)
    }
    // The report of the failed refund may take its tries.
    expect(Date.now()).toBeLessThan(paidAt + 100 * DAY)
    expect((await stored(paymentJob)).instructions).toMatchObject([{ state: 'failed', overdue: true }])
  })

  it('makes no refund: the shop reads that it failed', async () => {
    const { paymentJob, account } = await make()
    shop.world.fake.bring(paymentJob, 'paid')
    await send(`/return/${paymentJob}`)
    await remove(account)
    const refunds = `/v2/paymentjobs/${paymentJob}/refunds`
    const refused = await askWith(shop.token, 'POST', refunds, {})
    expect(refused.status).toBe(422)
    expect(await refused.json()).toMatchObject({ code: 'refund-refused' })
    expect(await refundsOf(shop.token, paymentJob)).toMatchObject([{ status: 'FAILURE' }])
  })
})

it('an account that neither KV nor D1 can show now is read later, and the log says so', async () => {
  refuseKey()
  const { paymentJob } = await make()
  shop.world.fault = null
  const errors = vi.spyOn(console, 'error').mockReturnValue()
  // By then the Worker’s memory of KV is outdated.
  vi.setSystemTime(Date.now() + 60_000)
  const spies = [
    vi.spyOn(env.TOKENS, 'get').mockRejectedValue(new Error('KV GET failed: 500')),
    vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
      throw new Error('D1_ERROR: Network connection lost.')
    }),
  ]
  expect((await ringNext(paymentJob)).announcement).toBe('due')
  expect(loggedOf(errors, paymentJob)).toContainEqual(
    expect.objectContaining({ event: 'job.duty-failed', duty: 'announce' }),
  )
  for (const spy of spies) spy.mockRestore()
  expect((await ringNext(paymentJob)).announcement).toBe('announced')
})
