import { type Hub, HubError, type NewCapture, type PaymentJob } from '../client/client.ts'
import { pause } from '../client/pause.ts'
import { FIGURES, figuresWith } from '../contract/money-figures.ts'
import { noHubAt, reasonIn } from '../programs/chosen-hub.ts'
import type { ReportedJob } from './report-rows.ts'
import type { TestHub } from './test-hub.ts'

export type Money = { amount: string; currency: string }

/** What a customer orders. */
export type PaymentKind = {
  money?: Money
  /** The money is reserved now, and captured later. */
  captures?: true
  /** The customer pays at a simulated card terminal. */
  terminal?: true
  /** A word in the order's number that the sandbox reads. */
  wish?: string
}

/** An order as a shop gets it from its customer. */
export type ShopOrder = {
  order_number: string
  amount: string
  currency: string
  capture?: 'manual'
  terminal?: string
}

export const USUAL: Money = { amount: '12.50', currency: 'EUR' }

export function shopOrder(
  number: string,
  { money = USUAL, captures, terminal, wish }: PaymentKind,
): ShopOrder {
  return {
    order_number: [number, ...(wish ? [wish] : [])].join(' '),
    ...money,
    ...(captures ? { capture: 'manual' } : {}),
    ...(terminal ? { terminal: 'default' } : {}),
  }
}

/** No host has this name (RFC 2606, section 2): for addresses of a shop that the hub cannot reach. */
export const NOWHERE = 'https://shop.invalid'

/** Creates the payment of an order, as a shop does. */
export function createJob(api: Hub, wanted: ShopOrder, to: { report: string; back: string }) {
  const { terminal, capture, ...money } = wanted
  const order = { ...money, report_url: to.report, order_id: String(Date.now()) }
  if (terminal) return api.createPaymentJob({ ...order, terminal })
  return api.createPaymentJob({
    ...order,
    ...(capture ? { capture } : {}),
    return_url: to.back,
    payment_method: wanted.currency === 'EUR' && !capture ? 'ideal' : 'creditcard',
    language: 'en',
    ip_address: '203.0.113.7',
  })
}

/** How a job stands, such as `SUCCESS, 5.00 refunded` or `PENDING, 5.00 of 12.50 captured`. */
export function standingOf(job: ReportedJob): string {
  const money = figuresWith('inTrace').flatMap((name) => {
    const { api, word } = FIGURES[name]
    if (job[api] === undefined) return []
    return name === 'authorized' ? `${job.amountPaid} of ${job[api]} captured` : `${job[api]} ${word}`
  })
  return [job.status, ...money].join(', ')
}

/** A mistake of the shop; its message is for the shop's developer. */
export class ShopFault extends Error {
  /** What to do about a mistake that has nothing to do with the scenario. */
  readonly advice: string | undefined
  constructor(message: string, advice?: string) {
    super(message)
    this.advice = advice
  }
}

/** The hub or the sandbox did not get there in time. `wanted`: how the job should stand. */
export class NotInTime extends Error {
  readonly wanted: string | undefined
  constructor(message: string, wanted?: string) {
    super(message)
    this.wanted = wanted
  }
}

/** Receives the reports of a payment, and its customer: a shop, or a receiver that is only watched. */
export type Audience = {
  /** How the job stood in each report so far. */
  reported: () => readonly string[]
  comesBack: (address: string) => Promise<void>
  /** Throws a ShopFault unless the shop calls the order paid, with so much refunded. */
  mustBePaid: (refunded: string) => Promise<void>
  mustBeUnpaid: () => Promise<void>
  /** Somebody at the till takes the money once more. */
  paysAgain: () => Promise<void>
}

/** Where a scenario is played. `deadline` says until when (ms) to wait for the next thing. */
type Stage = {
  hub: TestHub
  api: Hub
  deadline: () => number
  note: (does: string, answer?: string) => void
}

const CAPTURE =
  'Capture when you hand the goods over, and only once. Here the certificate captures, as your back office would.'

const LOOK_EVERY = 200

export type Payment = ReturnType<typeof newPayment>

/** Plays the customer, the PSP, the till and the clock of a job in the sandbox. */
export function newPayment(
  { hub, api, deadline, note }: Stage,
  { paymentJob: id, payUrl }: Pick<PaymentJob, 'paymentJob' | 'payUrl'>,
  audience: Audience,
) {
  const job = () => api.getPaymentJob(id)
  const waitFor = async (isReached: () => Promise<boolean>, otherwise: string, wanted?: string) => {
    const end = deadline()
    while (!(await isReached())) {
      if (Date.now() > end) throw new NotInTime(`It took too long: ${otherwise}.`, wanted)
      await pause(LOOK_EVERY)
    }
  }
  const openPage = async () => {
    // The PSP has the order only once there is no error.
    await waitFor(async () => {
      const { error, terminal } = await job()
      return error === null && terminal?.state !== 'starting'
    }, 'the PSP did not take the order')
    return followPayUrl(hub.url, payUrl)
  }
  let page: ReturnType<typeof openPage> | undefined
  const onPage = () => (page ??= openPage())
  const act = async (action: string, options: object = {}): Promise<void> => {
    await (await onPage()).act(action, options)
    note(`At the sandbox: ${[action, ...Object.entries(options).flat()].join(' ')}`)
  }
  return {
    job,
    act,
    /** The customer pays an order that the shop captures later. */
    reserve: async () => {
      await act('pay')
      await waitFor(async () => {
        const { status, amountAuthorized } = await job()
        if (status === 'SUCCESS') {
          throw amountAuthorized === undefined
            ? new ShopFault('ordered without capture: "manual", so the money was taken at once')
            : new ShopFault('captured the money by itself, as soon as it was reserved', CAPTURE)
        }
        return amountAuthorized !== undefined
      }, 'the money was not reserved')
    },
    /** Somebody at the shop captures or releases, by its own tools or by its back office. */
    capture: async (body: NewCapture) => {
      const answer = await api.capture(id, body).then(({ status }) => status, refusalIn)
      note(`${body.amount ?? 'All'} is captured${body.final ? ', and the rest released' : ''}`, answer)
    },
    release: async () => {
      const { status } = await api.release(id)
      note('What is not captured is released', status)
    },
    /** The customer comes back by the hub, which leads them to the shop. */
    comeBack: async () => audience.comesBack(await (await onPage()).leadBack()),
    payAgain: audience.paysAgain,
    cancelAtTill: async () => {
      await waitFor(
        async () => (await job()).terminal?.state === 'waiting-for-card',
        'the terminal did not begin',
      )
      const { status } = await api.cancel(id)
      note('The till cancels', status)
    },
    isInDoubt: async () => {
      await waitFor(async () => (await job()).terminal?.state === 'unknown', 'the job did not become unknown')
      note('The hub does not know whether the money was taken')
    },
    letPass: async (seconds: number) => {
      await api.advance(id, { seconds })
      note(`${seconds} seconds pass`)
    },
    becomes: (how: string) =>
      waitFor(async () => standingOf(await job()) === how, `the job did not become ${how}`, how),
    /** Waits until the hub has asked the PSP, which its notification makes it do. */
    isNotified: () =>
      waitFor(
        async () => (await job()).payments.steps.some(({ action }) => action === 'Statuspull'),
        'the PSP did not notify the hub',
      ),
    isUnpaid: audience.mustBeUnpaid,
    /** Waits until so many reports said how the job stands. Then the shop must say the same. */
    isReported: async (how: string, times = 1) => {
      const isSaid = () => audience.reported().filter((one) => one === how).length >= times
      await waitFor(async () => isSaid(), `no report came that says ${how}`, how)
      const [, back = '0'] = / (\S+) refunded/.exec(how) ?? []
      // A shop may call an order paid or unpaid after the bank took its money back.
      if (how.includes('charged back')) return
      await (how.startsWith('SUCCESS') ? audience.mustBePaid(back) : audience.mustBeUnpaid())
    },
  }
}

/** Returns the code of a refusal by the hub. */
function refusalIn(error: unknown): string {
  if (error instanceof HubError) return error.code
  throw error
}

/**
 * Follows a `payUrl` to the sandbox's page. `act` changes the payment there.
 */
export async function followPayUrl(hub: string, payUrl: string) {
  const { pathname } = new URL(payUrl)
  const answerTo = customerOf(hub)
  const { location, page } = await answerTo(pathname)
  // The page of an order for a terminal shows a link.
  const [, reference] = /\/sandbox\/checkout\/(\w+)/.exec(location ?? page) ?? []
  if (!reference) throw new Error(`The payUrl ${payUrl} leads to no page of the sandbox.`)
  return {
    act: async (action: string, options: object): Promise<void> => {
      const body = JSON.stringify(options)
      await answerTo(`/sandbox/payments/${reference}/${action}`, { method: 'POST', body })
    },
    /** Returns the address to which the hub leads the customer who comes back from the sandbox. */
    leadBack: () => leadBack(answerTo, pathname.replace('/pay/', '/return/')),
  }
}

/** How often the hub's waiting page sends the browser on before it leads back. */
const MOST_PAGES = 30

async function leadBack(answerTo: Customer, wayBack: string): Promise<string> {
  let address = wayBack
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { location, page, url } = await answerTo(address)
    if (location !== null) return new URL(location, url).href
    const [, seconds, next] = /http-equiv="refresh" content="(\d+); url=([^"]+)"/.exec(page) ?? []
    if (next === undefined) break
    await pause(Number(seconds) * 1000)
    address = new URL(next.replaceAll('&amp;', '&'), url).href
  }
  throw new Error('The hub did not lead the customer back to the shop.')
}

const PATIENCE = 30_000

type Customer = ReturnType<typeof customerOf>

/**
 * Sends requests as the customer's browser does, without following redirects, and only to the hub: its
 * pages may name any address. Throws for a refusal.
 */
function customerOf(hub: string) {
  const { origin } = new URL(hub)
  return async (address: string, init: RequestInit = {}) => {
    const url = new URL(address, origin)
    if (url.origin !== origin)
      throw new Error(`The hub at ${origin} leads to ${url.origin} instead of the shop.`)
    const sent = fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) })
    const response = await sent.catch((error: unknown) => {
      throw new Error(noHubAt(error, url), { cause: error })
    })
    const page = await response.text()
    if (response.status < 400) return { location: response.headers.get('location'), page, url }
    throw new Error(`The hub at ${origin} answered ${response.status}: ${reasonIn(page)}`)
  }
}
