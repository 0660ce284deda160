import { env } from 'cloudflare:workers'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createJob } from '../../../src/job/call-job.ts'
import { represent } from '../../../src/job/core/show.ts'
import { linkOf } from '../../../src/job/link.ts'
import { type Pos, ORIGIN, makePos, readJob, tokenFor } from '../../support/hub/hub.ts'
import { ringFor, stored, waitForNextPull } from '../../support/jobs/job.ts'
import { operate } from '../../support/hub/operator.ts'
import { outsideWith } from '../../support/outside.ts'
import { ORDER, birthOf } from '../../support/jobs/played-job.ts'
import { deliver, refund } from '../../support/psp-world.ts'
import { AT_COUNTER, TERMINALS, adyenFake } from '../../support/psps/adyen.ts'
import type { SentNotification } from '../../support/psps/fake-psp.ts'

const [COUNTER] = TERMINALS
const ACCOUNT = 'adyen-counter'

let world: ReturnType<typeof outsideWith<ReturnType<typeof adyenFake>>>
let pos: Pos
let token: string

beforeAll(async () => {
  outsideWith(adyenFake())
  const account = { id: ACCOUNT, psp: 'adyen', mode: 'live', credentials: AT_COUNTER }
  const added = await operate('POST', '/accounts', account)
  expect(added.status).toBe(201)
  pos = await makePos({ mode: 'live' })
  token = await tokenFor(pos)
})
beforeEach(() => {
  world = outsideWith(adyenFake())
})

const shown = (job: string) => readJob(token, job)
async function tell(sent: SentNotification | Promise<SentNotification>): Promise<number> {
  return (await deliver(ACCOUNT, await sent)).status
}

/** A shop's order for the terminal, which the job's object sends at once. */
async function ordered(): Promise<string> {
  const id = crypto.randomUUID()
  const order = {
    ...ORDER,
    paymentMethod: 'terminal',
    ipAddress: '',
    terminal: { id: COUNTER, account: ACCOUNT },
  }
  const link = await linkOf(env.SIGNING_ROOT, id)
  const born = { id, pos: pos.id, origin: ORIGIN, link, order, isLive: true }
  const { attempts: _, ...birth } = birthOf(born, [])
  expect(represent(await createJob(env, { ...birth, attempts: [] })).status).toBe('PENDING')
  return id
}

/** A job whose terminal has the order. */
async function atTerminal(): Promise<string> {
  const job = await ordered()
  await vi.waitFor(async () => expect((await stored(job)).payments).toHaveLength(1))
  return job
}

describe('an order for a terminal at Adyen', () => {
  it('is paid a moment after its event notification, and is refunded by the reference of the payment', async () => {
    const job = await atTerminal()
    expect(world.fake.terminals.payments()).toMatchObject([{ job, terminal: COUNTER, amount: 12.5 }])
    world.fake.terminals.tap(job, { tip: 1 })
    for (const event of world.fake.terminals.events()) expect(await tell(event)).toBe(200)
    expect(await shown(job)).toMatchObject({
      status: 'SUCCESS',
      amountPaid: '13.50',
      amountTip: '1.00',
      card: { lastFour: '9999' },
    })
    expect(await refund(token, job, '13.00')).toMatchObject({ code: 201, status: 'PENDING' })
    const [made] = world.fake.refunds()
    expect(made?.paymentPspReference).toBe(world.fake.terminals.pspReferenceOf(job))
    expect(await tell(world.fake.tellRefund(made?.pspReference ?? ''))).toBe(200)
    expect(await shown(job)).toMatchObject({ status: 'SUCCESS', amountRefunded: '13.00' })
  })

  it('is FAILURE if the terminal is off, and no money was taken', async () => {
    world.fake.terminals.switch(COUNTER, false)
    const job = await ordered()
    await vi.waitFor(async () => expect(await shown(job)).toMatchObject({ status: 'FAILURE' }))
    expect((await shown(job)).error).toMatch(/^terminal_off: .*No money was taken\.$/)
  })

  it('is paid by the signed webhook while its terminal is dead, and keeps what the terminal says later', async () => {
    const job = await atTerminal()
    world.fake.terminals.tap(job)
    world.fake.terminals.switch(COUNTER, false)
    expect(await tell(world.fake.terminals.authorised(job, 1250))).toBe(200)
    expect(await shown(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
    world.fake.terminals.switch(COUNTER, true)
    waitForNextPull()
    await ringFor(job, 60_000)
    expect(await shown(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50', card: { brand: 'mc' } })
  })

  it('is not paid by an unsigned event while its terminal is dead', async () => {
    const job = await atTerminal()
    world.fake.terminals.tap(job)
    world.fake.terminals.switch(COUNTER, false)
    for (const event of world.fake.terminals.events()) await tell(event)
    expect(await shown(job)).toMatchObject({ status: 'PENDING', terminal: { state: 'unknown' } })
  })

  it('whose answer was lost, at a terminal that died, is paid by the signed webhook', async () => {
    const { terminals } = world.fake
    terminals.loseAnswers(1)
    const job = await ordered()
    await vi.waitFor(async () => expect((await stored(job)).attempts).toHaveLength(1))
    terminals.tap(job)
    terminals.switch(COUNTER, false)
    expect(await tell(terminals.authorised(job, 1250))).toBe(200)
    expect(await shown(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })
  })

  it('whose answer was lost does not hold up other webhooks', async () => {
    const { terminals } = world.fake
    terminals.loseAnswers(1)
    const job = await ordered()
    await vi.waitFor(async () => expect((await stored(job)).attempts).toHaveLength(1))
    terminals.switch(COUNTER, false)
    expect(await tell(terminals.authorised(job, 1250, { success: 'false' }))).toBe(200)
    expect(await shown(job)).toMatchObject({ status: 'PENDING', terminal: { state: 'unknown' } })
    terminals.switch(COUNTER, true)
    await ringFor(job, 60_000)
    expect((await stored(job)).payments).toHaveLength(1)
  })

  it('that was refused but paid after all is paid by the signed webhook', async () => {
    const { terminals } = world.fake
    terminals.mute(COUNTER)
    terminals.switch(COUNTER, false)
    const job = await ordered()
    await vi.waitFor(async () => expect(await shown(job)).toMatchObject({ status: 'FAILURE' }))
    terminals.tap(job)
    expect(await tell(terminals.authorised(job, 1250))).toBe(200)
    expect(await shown(job)).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50', error: null })
  })

  it('that failed and was signed all the same is in doubt, until the money goes back or Adyen cancels it', async () => {
    const { terminals } = world.fake
    const job = await atTerminal()
    terminals.fail(job, 'Refusal', 'refusalReason=Card+removed', true)
    for (const event of terminals.events()) await tell(event)
    expect((await shown(job)).error).toMatch(/^declined: .*Card removed\. No money was taken\.$/)
    expect(await refund(token, job, '12.50')).toMatchObject({ code: 409 })
    const signed = terminals.authorised(job, 1250)
    for (const again of [signed, signed]) expect(await tell(again)).toBe(200)
    const doubt = { status: 'FAILURE', terminal: { id: COUNTER, state: 'unknown' } }
    expect(await shown(job)).toMatchObject({
      ...doubt,
      error: expect.stringMatching(/^perhaps_charged: /) as string,
    })
    expect((await stored(job)).report).toMatchObject({ revision: 3 })
    const reference = terminals.pspReferenceOf(job)
    expect(await refund(token, job, '2.50')).toMatchObject({ code: 201, status: 'PENDING' })
    expect(world.fake.refunds()).toMatchObject([{ paymentPspReference: reference }])
    const cancelled = { eventCode: 'TECHNICAL_CANCEL', pspReference: 'C1', originalReference: reference }
    expect(await tell(terminals.authorised(job, 1250, cancelled))).toBe(200)
    expect((await shown(job)).error).toMatch(/^declined: .* No money was taken\.$/)
  })
})
