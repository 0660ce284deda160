import { env } from 'cloudflare:workers'
import { createScheduledController } from 'cloudflare:test'
import { describe, expect, it, vi } from 'vitest'
import { consumeBooks } from '../../src/books/consume-payouts.ts'
import type { BooksMonth } from '../../src/contract/books.ts'
import worker from '../../src/index.ts'
import { type PayoutMessage, payoutMessage } from '../../src/psp/payouts/payout-messages.ts'
import { createJob, makePos, tokenFor } from '../support/hub/hub.ts'
import { stored } from '../support/jobs/job.ts'
import { loggedOf } from '../support/logged.ts'
import { operate } from '../support/hub/operator.ts'
import { outsideWith } from '../support/outside.ts'
import { deliver, notify, route } from '../support/psp-world.ts'
import { batchOf } from '../support/hub/queue.ts'
import { SHOP, adyenFake } from '../support/psps/adyen.ts'
import { mollieFake } from '../support/psps/mollie.ts'

const ORGANISATION = 'access_0123456789abc'
/** The time that a queue may take. */
const WAIT = { timeout: 20_000, interval: 100 }
const AT_FIVE = Date.UTC(2031, 5, 2, 5, 17)
const eur = (value: string) => ({ currency: 'EUR', value })

function mollieWithSettlements() {
  const world = Object.assign(outsideWith(mollieFake()), { psp: 'mollie' })
  const lists: Record<string, object[]> = {}
  const settlement = {
    reference: '1234567.3106.01',
    status: 'paidout',
    settledAt: '2031-06-02T04:00:00+00:00',
    amount: eur('12.21'),
    periods: { '2031': { '06': { costs: [{ amountGross: eur('0.2900') }], invoiceReference: 'MOL-1' } } },
  }
  const settlements = [
    { ...settlement, id: 'stl_3', status: 'open', settledAt: null },
    { ...settlement, id: 'stl_2' },
    {
      ...settlement,
      id: 'stl_1',
      reference: '1234567.3105.01',
      settledAt: '2031-05-02T04:00:00+00:00',
      amount: eur('-0.29'),
    },
  ]
  const asked: string[] = []
  world.fault = (request) => {
    const { pathname, search, searchParams } = new URL(request.url)
    const [, , kind, id, name = 'settlements'] = pathname.split('/')
    if (kind !== 'settlements') return world.fake.handle(request)
    asked.push(`${pathname}${search}`)
    if (request.headers.get('authorization') !== `Bearer ${ORGANISATION}`)
      return new Response('{}', { status: 403 })
    if (id && name === 'settlements') return Response.json(settlements.find((one) => one.id === id))
    if (id) return Response.json({ _embedded: { [name]: lists[`${id} ${name}`] ?? [] }, _links: {} })
    // One payout on each page; the newest is still open.
    const at = settlements.findIndex((one) => one.id === (searchParams.get('from') ?? 'stl_3'))
    const older = settlements[at + 1]
    const next = older ? { next: { href: `https://api.mollie.com/v2/settlements?from=${older.id}` } } : {}
    return Response.json({ _embedded: { settlements: [settlements[at]] }, _links: next })
  }
  return { world, lists, asked, settlements }
}

async function runSchedule(at: number): Promise<void> {
  const controller = createScheduledController({ cron: '17 * * * *', scheduledTime: new Date(at) })
  await worker.scheduled?.(controller as never, env as never)
}

/** Waits until a fetch has ended. Its last step is to check booked payouts once more. */
async function untilQuiet(asked: string[]): Promise<void> {
  let count
  do {
    count = asked.length
    await new Promise((resolve) => setTimeout(resolve, 1500))
  } while (asked.length > count)
}

it('the hub fetches the payouts of an account with a key for it once a day, to the last page', async () => {
  const { world, lists, asked } = mollieWithSettlements()
  const credentials = { ...world.fake.accounts[0], organisationToken: ORGANISATION }
  expect(
    (await operate('POST', '/accounts', { id: 'mollie-books', psp: 'mollie', mode: 'live', credentials }))
      .status,
  ).toBe(201)
  const pos = await makePos({ mode: 'live' })
  await route(pos, '*', 'mollie-books')
  const { paymentJob } = await createJob(await tokenFor(pos))
  world.fake.setStatusOf(paymentJob, 'paid')
  await notify(world, paymentJob)
  const [payment] = (await stored(paymentJob)).payments
  lists['stl_2 payments'] = [
    {
      id: payment?.reference,
      createdAt: '2031-06-01T10:00:00+00:00',
      amount: eur('12.50'),
      settlementAmount: eur('12.50'),
      metadata: { paymentJob },
    },
  ]
  await runSchedule(AT_FIVE - 3_600_000)
  expect(asked).toEqual([])
  await runSchedule(AT_FIVE)
  const month = async () => (await operate('GET', '/books/months/2031-06?mode=live')).json<BooksMonth>()
  await vi.waitFor(async () => expect((await month()).payouts).toHaveLength(1), WAIT)
  expect((await month()).payouts).toMatchObject([
    {
      id: '1234567.3106.01',
      account: 'mollie-books',
      amount: '12.21',
      difference: '0.00',
      findings: 0,
      lines: 2,
    },
  ])
  const older = async () => (await operate('GET', '/books/months/2031-05?mode=live')).json<BooksMonth>()
  await vi.waitFor(async () => expect((await older()).payouts).toHaveLength(1), WAIT)
  await untilQuiet(asked)
  asked.length = 0
  await runSchedule(AT_FIVE + 24 * 3_600_000)
  await vi.waitFor(() => expect(asked.filter((ask) => ask.includes('from=stl_2'))).toHaveLength(1), WAIT)
  // A payout that is older than a fully booked page is booked too.
  await untilQuiet(asked)
  expect(asked.filter((ask) => ask.includes('from=stl_1'))).toEqual([])
})

/** The columns of Adyen's settlement details report that the books read. */
const HEAD =
  'Psp Reference,Merchant Reference,Creation Date,TimeZone,Type,Gross Currency,Gross Debit (GC),Gross Credit (GC),' +
  'Net Currency,Net Debit (NC),Net Credit (NC),Commission (NC),Batch Number'
const settled = (job: string) => `P1,${job},2031-07-03 20:17:00,CEST,Settled,EUR,,12.50,EUR,,12.20,0.30,9`
const PAID_OUT = ',,2031-07-04 00:00:00,CEST,MerchantPayout,EUR,,,EUR,12.20,,,9'

function adyenWithReports() {
  const fake = adyenFake()
  const reports = 'https://ca-live.adyen.com'
  const world = Object.assign(outsideWith({ ...fake, origins: [...fake.origins, reports] }), { psp: 'adyen' })
  const downloads: { path: string; key: string | null }[] = []
  const file = { text: '' }
  world.fault = (request) => {
    const { origin, pathname } = new URL(request.url)
    if (origin !== reports) return fake.handle(request)
    downloads.push({ path: pathname, key: request.headers.get('x-api-key') })
    return new Response(file.text)
  }
  return { world, fake, downloads, file }
}

it('a report that Adyen announces is downloaded by its signed name, and booked', async () => {
  const { world, fake, downloads, file } = adyenWithReports()
  const credentials = { ...fake.accounts[0], reportKey: 'report-key' }
  await operate('POST', '/accounts', { id: 'adyen-books', psp: 'adyen', mode: 'live', credentials })
  const pos = await makePos({ mode: 'live' })
  await route(pos, '*', 'adyen-books')
  const { paymentJob } = await createJob(await tokenFor(pos))
  fake.bring(paymentJob, 'paid')
  await notify(world, paymentJob)
  file.text = [HEAD, settled(paymentJob), PAID_OUT].join('\n')
  const available = (pspReference: string) =>
    fake.tell(paymentJob, {
      eventCode: 'REPORT_AVAILABLE',
      pspReference,
      merchantReference: '',
      reason: 'https://elsewhere.example/report.csv',
    })
  for (const name of ['payments_accounting_report.csv', 'settlement_detail_report_batch_9.csv'])
    expect((await deliver('adyen-books', await available(name))).status).toBe(200)
  const month = async () => (await operate('GET', '/books/months/2031-07?mode=live')).json<BooksMonth>()
  await vi.waitFor(async () => expect((await month()).payouts).toHaveLength(1), WAIT)
  expect((await month()).payouts).toMatchObject([
    { id: 'batch-9-EUR', account: 'adyen-books', amount: '12.20', difference: '0.00', findings: 0 },
  ])
  const path = expect.stringMatching(
    /^\/reports\/download\/MerchantAccount\/\w+\/settlement_detail_report_batch_9\.csv$/,
  )
  expect(downloads).toEqual([{ path, key: 'report-key' }])
})

describe('the log says which payout was left out, and why', () => {
  const consume = async (message: PayoutMessage, until = async () => {}) => {
    const warned = vi.spyOn(console, 'warn')
    const { batch, acked } = batchOf([payoutMessage.write(message)], 'payment-hub-books')
    await consumeBooks(batch, env)
    expect(acked()).toBe(1)
    await until()
    const told = loggedOf(warned, message.account)
    warned.mockRestore()
    return told
  }

  it('if the nightly fetch cannot read a settlement', async () => {
    const { world, settlements } = mollieWithSettlements()
    Object.assign(settlements[1] ?? {}, { amount: { currency: 'XXX', value: '1.00' } })
    const account = `mollie-${crypto.randomUUID().slice(0, 8)}`
    const credentials = { ...world.fake.accounts[0], organisationToken: ORGANISATION }
    await operate('POST', '/accounts', { id: account, psp: 'mollie', mode: 'live', credentials })
    const page = async (after?: string) => {
      const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}`
      return (await operate('POST', `/books/accounts/${account}/fetch${query}`)).json<{
        next: string
        leftOut: object[]
      }>()
    }
    const { next } = await page()
    expect((await page(next)).leftOut).toEqual([{ payout: 'stl_2', why: expect.any(String) }])
    expect(await consume({ account, after: next })).toEqual([
      { event: 'books.left-out', account, payout: 'stl_2', reason: expect.any(String) },
    ])
  })

  it('if a report has payouts of another merchant account, and the rest is booked', async () => {
    const { fake, file } = adyenWithReports()
    const account = `adyen-${crypto.randomUUID().slice(0, 8)}`
    const credentials = { ...fake.accounts[0], reportKey: 'report-key' }
    await operate('POST', '/accounts', { id: account, psp: 'adyen', mode: 'live', credentials })
    const report = 'settlement_detail_report_batch_9.csv'
    const row = (merchant: string, text: string) => `${merchant},${text}`
    file.text = [
      row('Merchant Account', HEAD),
      // The payout has more than one part.
      ...Array.from({ length: 401 }, () => row('Elsewhere', settled('A-1'))),
      row('Elsewhere', PAID_OUT),
      row(SHOP.merchantAccount, settled('A-2')),
      row(SHOP.merchantAccount, PAID_OUT),
    ].join('\n')
    const shown = async () => operate('GET', `/books/payouts/batch-9-EUR?account=${account}`)
    const isBooked = () => vi.waitFor(async () => expect((await shown()).status).toBe(200), WAIT)
    const reason = expect.stringContaining('Elsewhere')
    expect(await consume({ account, report, done: 0 }, isBooked)).toEqual([
      { event: 'books.left-out', account, payout: 'batch-9-EUR', reason },
    ])
    expect(await (await shown()).json()).toMatchObject({ lines: [{ orderNumber: 'A-2' }] })
  })
})
