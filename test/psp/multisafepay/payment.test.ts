import { expect, it } from 'vitest'
import { multisafepay } from '../../../src/psp/multisafepay/adapter.ts'
import { multisafepayFake } from '../../support/psps/multisafepay.ts'
import { charge } from './double.ts'
import { patience } from '../patience.ts'

it('a payment is announced, paid, notified, believed and pulled', async () => {
  const fake = multisafepayFake()
  const [credentials, other] = fake.accounts
  const open = (account: object) =>
    multisafepay.open({ fetch: fake.handle, mode: 'live', credentials: account })
  const psp = open(credentials)
  expect(await psp.announce(charge, patience)).toMatchObject({ is: 'announced', reference: charge.job })
  fake.bring(charge.job, 'paid')
  const at = Date.UTC(2026, 10, 21, 10, 15)
  const [sent] = await fake.notify(charge.job, at)
  if (!sent) throw new Error('MultiSafepay sent nothing')
  const notification = { job: charge.job, headers: new Headers(sent.headers), body: sent.body, at }
  expect(await psp.readNotification(notification)).toEqual({
    is: 'about',
    payments: [{ job: charge.job, reference: charge.job, claimedStatus: null }],
  })
  expect(await open(other).readNotification(notification)).toEqual({ is: 'unauthentic' })
  expect(await psp.pull(charge.job, 'EUR')).toMatchObject({ status: 'SUCCESS', paid: 1250 })
  expect(await open(other).pull(charge.job, 'EUR')).toEqual({ is: 'unknown' })
})
