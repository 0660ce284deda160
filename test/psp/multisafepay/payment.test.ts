import { expect, it } from 'vitest'
import { multisafepay } from '../../../src/psp/multisafepay/adapter.ts'
import { multisafepayFake } from '../../support/psps/multisafepay.ts'
import { paymentRequest, patience } from '../scripted.ts'

it('a payment is announced, paid, notified, believed and asked about', async () => {
  const fake = multisafepayFake()
  const [credentials, other] = fake.accounts
  const open = (account: object) =>
    multisafepay.open({ fetch: fake.handle, mode: 'live', credentials: account })
  const psp = open(credentials)
  expect(await psp.announce(paymentRequest, patience)).toMatchObject({
    is: 'announced',
    reference: paymentRequest.job,
  })
  fake.bring(paymentRequest.job, 'paid')
  const at = Date.UTC(2026, 10, 21, 10, 15)
  const [sent] = await fake.notify(paymentRequest.job, at)
  if (!sent) throw new Error('MultiSafepay sent nothing')
  const notification = { job: paymentRequest.job, headers: new Headers(sent.headers), body: sent.body, at }
  expect(await psp.readNotification(notification)).toEqual({
    is: 'about',
    payments: [{ job: paymentRequest.job, reference: paymentRequest.job, claimedStatus: null }],
  })
  expect(await open(other).readNotification(notification)).toEqual({ is: 'unauthentic' })
  expect(await psp.ask(paymentRequest.job, 'EUR')).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  expect(await open(other).ask(paymentRequest.job, 'EUR')).toEqual({ is: 'unknown' })
})
