import { afterEach, expect, it, vi } from 'vitest'
import { createJob, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { loggedOf } from '../support/logged.ts'
import { type PspWorld, deliver, posAt, pspWorld } from '../support/psp-world.ts'

let world: PspWorld
afterEach(() => {
  vi.restoreAllMocks()
  world.stop()
})

it('says which item of a batch Adyen has not signed, in the answer and the log, and nothing of the payment', async () => {
  world = pspWorld('adyen')
  const { paymentJob: job } = await createJob(await tokenFor(await posAt(world)))
  const { account } = await stored(job)
  world.fake.bring(job, 'paid')
  const [sent] = await world.fake.notify(job, Date.now())
  if (!sent) throw new Error('Adyen sent nothing')
  const batch = JSON.parse(sent.body) as { notificationItems: unknown[] }
  batch.notificationItems.push({ NotificationRequestItem: { merchantReference: job } })
  const warn = vi.spyOn(console, 'warn').mockReturnValue()
  const answer = await deliver(account, { ...sent, body: JSON.stringify(batch) })
  expect(answer.status).toBe(401)
  const text = await answer.text()
  expect(JSON.parse(text)).toMatchObject({ detail: 'Item 2 of the notification is not signed by the PSP.' })
  expect(loggedOf(warn, account)).toEqual([{ event: 'notification.unauthentic', account, item: 2 }])
  expect(text).not.toContain(job)
  expect((await stored(job)).status).toBe('PENDING')
})

it.each(['stripe', 'multisafepay'])('says that a notification of %s is not signed', async (psp) => {
  world = pspWorld(psp)
  const { paymentJob: job } = await createJob(await tokenFor(await posAt(world)))
  const { account } = await stored(job)
  world.fake.bring(job, 'paid')
  const [sent] = await world.fake.notify(job, Date.now())
  if (!sent) throw new Error(`${psp} sent nothing`)
  vi.spyOn(console, 'warn').mockReturnValue()
  const answer = await deliver(account, { ...sent, body: `${sent.body} ` })
  expect(answer.status).toBe(401)
  expect(await answer.json()).toMatchObject({
    code: 'signature-invalid',
    detail: 'The notification is not signed by the PSP.',
  })
})
