import type { JobDetail } from '../../src/contract/job-detail.ts'
import { beforeEach, expect, it, vi } from 'vitest'
import { HOUR } from '../../src/contract/timestamp.ts'
import { createJob, readJob, tokenFor } from '../support/hub/hub.ts'
import { objectOf, ringFor, stored } from '../support/jobs/job.ts'
import { loggedOf } from '../support/logged.ts'
import { outsideWith } from '../support/outside.ts'
import { operate } from '../support/hub/operator.ts'
import { deliver, notify, posAt, refund } from '../support/psp-world.ts'
import { adyenFake } from '../support/psps/adyen.ts'

function adyenWorld() {
  return Object.assign(outsideWith(adyenFake()), { psp: 'adyen' })
}

let world: ReturnType<typeof adyenWorld>
beforeEach(() => {
  world = adyenWorld()
})

it('a payment that is rejected in review after it was paid loses its money, with a report, and the log says so', async () => {
  const token = await tokenFor(await posAt(world))
  const { paymentJob: id } = await createJob(token)
  world.fake.bring(id, 'paid')
  expect(await notify(world, id)).toEqual([200])
  const { account, report } = await stored(id)
  const warnings = vi.spyOn(console, 'warn').mockReturnValue()
  for (const eventCode of ['MANUAL_REVIEW_REJECT', 'CANCEL_OR_REFUND', 'CANCEL_OR_REFUND']) {
    const notification = await world.fake.tell(id, {
      eventCode,
      pspReference: 'CR00000000000001',
      reason: '',
    })
    expect((await deliver(account, notification)).status).toBe(200)
  }
  expect(await readJob(token, id)).toMatchObject({ status: 'SUCCESS', amountRefunded: '12.50' })
  expect((await stored(id)).report?.revision).toBe((report?.revision ?? 0) + 1)
  expect(loggedOf(warnings, id)).toMatchObject([{ event: 'payment.cancelled-after-paid', account }])
  expect((await refund(token, id, '1.00')).code).toBe(409)
})

it('a payment that Adyen signed as authorised, whose link stays expired, is the operator’s to look up', async () => {
  const token = await tokenFor(await posAt(world))
  const { paymentJob: id } = await createJob(token)
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() })
  await ringFor(id, 26 * HOUR)
  const { account, status } = await stored(id)
  expect(status).toBe('EXPIRED')
  const warnings = vi.spyOn(console, 'warn').mockReturnValue()
  const notification = await world.fake.tell(id, { pspReference: 'AU00000000000001' })
  expect((await deliver(account, notification)).status).toBe(200)
  await ringFor(id, HOUR)
  const { why } = await (await operate('GET', `/jobs/${id}`)).json<JobDetail>()
  expect(why).toMatchObject({ cause: 'signed-not-shown', todos: [{ do: 'look-at-psp' }, { do: 'ask-psp' }] })
  expect(why.todo).toContain('AU00000000000001')
  expect(loggedOf(warnings, id)).toMatchObject([{ event: 'payment.signed-not-shown', account }])
})

it.each([
  ['in the currency of the job counts, and nothing is wrong', 'EUR', '1.00', []],
  ['in another currency does not count, and the log says so', 'USD', undefined, ['payment.other-currency']],
])('money that comes %s', async (_, currency, amountChargedBack, warned) => {
  const token = await tokenFor(await posAt(world))
  const { paymentJob: id } = await createJob(token)
  world.fake.bring(id, 'paid')
  expect(await notify(world, id)).toEqual([200])
  const warnings = vi.spyOn(console, 'warn').mockReturnValue()
  const { account, reference } = await stored(id)
  const moves = [{ id: 'm1', kind: 'chargeback', amount: 100, currency }] as const
  const notified = { is: 'notified', came: Date.now(), account, reference, moves: [...moves] } as const
  await objectOf(id).ask({ why: 'notified', notified: { ...notified, moves: [...moves] } })
  expect((await readJob(token, id)).amountChargedBack).toBe(amountChargedBack)
  expect(loggedOf(warnings, id).map((entry) => (entry as { event: string }).event)).toEqual(warned)
})
