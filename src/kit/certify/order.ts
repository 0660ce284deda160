import * as v from 'valibot'
import { type Hub, HubError, type NewCapture, type PaymentJob } from '../../client/client.ts'
import { pause } from '../../client/pause.ts'
import type { TestHub } from '../test-hub.ts'
import { isHere } from '../../programs/chosen-hub.ts'
import { followPayUrl } from '../scenarios.ts'
import type { Create, Fault, HubWay, Pass, ReportNetwork } from './network.ts'
import {
  type Addresses,
  type Answered,
  type AskPerson,
  type Shop,
  type ShopOrder,
  ShopFault,
  shopAt,
} from './shop.ts'
import type { Steps } from './certificate.ts'

/** A hub and a shop, and the shop's signing secret; empty where it is not known. */
export type Setting = { hub: TestHub; addresses: Addresses; askPerson: AskPerson; secret: string }

/** The hub, the shop and the network of a run. `way` is null where no client of the shop pays. */
export type World = Setting & { api: Hub; reports: ReportNetwork; way: HubWay | null; run: string }

/** How long (ms) a scenario waits for the hub and the sandbox. */
const PATIENCE = 30_000
/** How long (ms) a shop may take to act on a report that it has answered. */
const PATIENCE_WITH_SHOP = 5000
/** How long (ms) a scenario waits for a shop to act on a report that it must not believe. */
const WRONG_PATIENCE = 400
const LOOK_EVERY = 200

export type Money = { amount: string; currency: string }
const USUAL: Money = { amount: '12.50', currency: 'EUR' }

export function isTaken(answer: Answered): boolean {
  return typeof answer === 'number' && answer >= 200 && answer < 300
}

let orders = 0

export type Order = Awaited<ReturnType<typeof newOrder>>
type Wanted = { money?: Money; fault?: Fault; captures?: true; terminal?: true; wish?: string }

/** A customer orders, and goes to pay. Reports go to the shop; `faults` gets what it does wrong. */
export async function newOrder(world: World, wanted: Wanted, steps: Steps, faults: string[]) {
  const { hub, api, reports, way, secret } = world
  const { money = USUAL, fault, captures, terminal, wish } = wanted
  const shop = shopAt(world.addresses, world.askPerson, steps)
  const before = way?.creates.length ?? 0
  if (fault) {
    steps.note(`On the way to the hub: ${fault}`)
    way?.fail(fault)
  }
  const order_number = [`${world.run}-${++orders}`, ...(wish ? [wish] : [])].join(' ')
  const order = {
    order_number,
    ...money,
    ...(captures ? { capture: 'manual' as const } : {}),
    ...(terminal ? { terminal: 'default' } : {}),
  }
  steps.note(`A customer orders ${order.order_number} for ${money.currency} ${money.amount}`)
  // A customer who gets an error goes to pay once more, for the same order.
  const ids = await (way ? buyAtShop(shop, way, order, fault ? 2 : 1) : create(world, order))
  const { paymentJob: id, orderNumber } = ids
  const told: string[] = []
  const deliver: Pass = async (report) => {
    const how = standingOf(v.parse(Reported, report.body))
    const answer = await shop.report(`A report comes: ${how}`, report)
    if (!isTaken(answer)) faults.push(`answered a genuine report with: ${answer}`)
    told.push(how)
    return answer
  }
  reports.route(id, deliver)
  // The word in its number says what happens to an order at a terminal, whose customer sees no page.
  const page = terminal ? null : await followPayUrl(hub.url, ids.payUrl)
  const onPage = () => page ?? Promise.reject(new Error('The customer of a terminal sees no page.'))
  const job = () => api.getPaymentJob(id)
  const isUnpaid = async () => {
    await pause(WRONG_PATIENCE)
    const { paid } = await shop.standing(orderNumber)
    if (paid) throw new ShopFault('calls an order paid that is not')
  }
  checkAmount(await job(), money)
  return {
    shop,
    secret,
    job,
    deliver,
    isUnpaid,
    /** The creates that the shop sent for it. */
    get creates() {
      return way?.creates.slice(before) ?? []
    },
    /** Sets how the network treats the reports of this order from now on. */
    network: (does: string, pass: Pass) => {
      steps.note(does)
      reports.route(id, pass)
    },
    act: async (action: string, options: object = {}) => {
      await (await onPage()).act(action, options)
      steps.note(`At the sandbox: ${[action, ...Object.entries(options).flat()].join(' ')}`)
    },
    /** The customer pays an order that the shop captures later. */
    reserve: async () => {
      await (await onPage()).act('pay')
      steps.note('At the sandbox: pay')
      const isReserved = async () => {
        const { status, amountAuthorized } = await job()
        if (status === 'SUCCESS')
          throw new ShopFault('ordered without capture: "manual", so that the money was taken at once')
        return amountAuthorized !== undefined
      }
      await waitFor(isReserved, 'the money was not reserved')
    },
    /** Somebody at the shop captures or releases, by its own tools or by its back office. */
    capture: async (body: NewCapture) => {
      const answer = await api.capture(id, body).then(({ status }) => status, refusalIn)
      steps.note(`${body.amount ?? 'All'} is captured${body.final ? ', and the rest released' : ''}`, answer)
    },
    release: async () => {
      const { status } = await api.release(id)
      steps.note('What is not captured is released', status)
    },
    /** The customer comes back by the hub, which leads them to the shop. */
    comeBack: async () => shop.open('The customer comes back', await leadBack((await onPage()).wayBack)),
    /** Somebody at the till tries to take the money once more. */
    payAgain: async () => {
      if (way) await shop.buy('Somebody at the till takes the money once more', order)
    },
    cancelAtTill: async () => {
      await waitFor(
        async () => (await job()).terminal?.state === 'waiting-for-card',
        'the terminal did not begin',
      )
      const { status } = await api.cancel(id)
      steps.note('The till cancels', status)
    },
    isInDoubt: async () => {
      await waitFor(async () => (await job()).terminal?.state === 'unknown', 'the job did not become unknown')
      steps.note('The hub does not know what became of it')
    },
    letPass: async (seconds: number) => {
      await api.advance(id, { seconds })
      steps.note(`${seconds} seconds pass`)
    },
    resendReport: async () => {
      await api.resendReport(id)
      steps.note('The report is sent again on demand')
    },
    becomes: (how: string) =>
      waitFor(async () => standingOf(await job()) === how, `the job did not become ${how}`),
    /** Waits until the shop was told so often how the job stands. Then it must say the same. */
    isTold: async (how: string, times = 1) => {
      const isSo = () => told.filter((one) => one === how).length >= times
      await waitFor(async () => isSo(), `no report came that says ${how}`)
      const [, back = '0'] = / (\S+) refunded/.exec(how) ?? []
      // A shop may call an order paid or unpaid after the bank took its money back.
      if (how.includes('charged back')) return
      await (how.startsWith('SUCCESS') ? expectPaid(shop, orderNumber, back) : isUnpaid())
    },
  }
}

/** Returns the code of a refusal by the hub. */
function refusalIn(error: unknown): string {
  if (error instanceof HubError) return error.code
  throw error
}

/** Throws where the shop asked for another amount, for example one with other decimals. */
function checkAmount(job: PaymentJob, { amount, currency }: Money): void {
  if (job.currency === currency && Number(job.amountDue) === Number(amount)) return
  throw new ShopFault(`asked for ${job.currency} ${job.amountDue} in place of ${currency} ${amount}`)
}

/** Waits until the shop calls the order paid, once handled, with the same money refunded. */
async function expectPaid(shop: Shop, orderNumber: string, back: string): Promise<void> {
  const end = Date.now() + PATIENCE_WITH_SHOP
  for (;;) {
    const { paid, handled = 1, refunded = back } = await shop.standing(orderNumber)
    if (paid && handled > 1)
      throw new ShopFault(`handled one paid order ${handled} times: it is told of one payment more than once`)
    if (paid && Number(refunded) === Number(back)) return
    if (Date.now() > end) {
      throw new ShopFault(
        paid ? `says that ${refunded} went back, in place of ${back}` : 'calls an order unpaid that is paid',
      )
    }
    await pause(LOOK_EVERY)
  }
}
/** The members of a report that scenarios read. */
const Reported = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    status: v.string(),
    amountPaid: v.string(),
    amountAuthorized: v.exactOptional(v.string()),
    amountReleased: v.exactOptional(v.string()),
    amountRefunded: v.exactOptional(v.string()),
    amountChargedBack: v.exactOptional(v.string()),
  }),
)

/** How a job stands, such as `SUCCESS, 5.00 refunded` or `PENDING, 5.00 of 12.50 captured`. */
function standingOf(job: v.InferOutput<typeof Reported>): string {
  const { status, amountPaid, amountAuthorized, amountReleased, amountRefunded, amountChargedBack } = job
  const captured = amountAuthorized === undefined ? '' : `, ${amountPaid} of ${amountAuthorized} captured`
  const released = amountReleased === undefined ? '' : `, ${amountReleased} released`
  const refunded = amountRefunded === undefined ? '' : `, ${amountRefunded} refunded`
  const chargedBack = amountChargedBack === undefined ? '' : `, ${amountChargedBack} charged back`
  return status + captured + released + refunded + chargedBack
}

type Ids = Pick<PaymentJob, 'paymentJob' | 'payUrl' | 'orderNumber'>

/** The shop makes the payment by its own client. */
async function buyAtShop(shop: Shop, way: HubWay, wanted: ShopOrder, tries: number): Promise<Ids> {
  const payUrl = await shop.buy('The customer goes to pay', wanted)
  const isOwn = ({ job }: Create) => job?.orderNumber === wanted.order_number
  const atTerminal = wanted.terminal === undefined ? null : way.creates.findLast(isOwn)?.job
  if (atTerminal) return atTerminal
  if (payUrl === null && tries > 1) return buyAtShop(shop, way, wanted, tries - 1)
  if (payUrl === null) throw new ShopFault('answered a customer who wants to pay without the payUrl')
  const made = way.creates.findLast(({ job }) => job?.payUrl === payUrl)?.job
  if (made) return made
  throw new ShopFault('made a payment past the address of the hub that this certificate gives it')
}

/** Where reports of a hub elsewhere go in name: the listener brings them (RFC 2606, section 2). */
const NOWHERE = 'https://shop.invalid'

async function create({ hub, api, addresses }: World, wanted: ShopOrder): Promise<Ids> {
  const address = (given: string | null): string =>
    given !== null && (isHere(hub.url) || !isHere(given)) ? given : NOWHERE
  const back = new URL(address(addresses.return))
  back.searchParams.set('order_number', wanted.order_number)
  const { terminal, capture, ...order } = {
    ...wanted,
    report_url: address(addresses.report),
    order_id: String(Date.now()),
  }
  if (terminal) return api.createPaymentJob({ ...order, terminal })
  return api.createPaymentJob({
    ...order,
    ...(capture ? { capture } : {}),
    return_url: back.href,
    payment_method: wanted.currency === 'EUR' && !capture ? 'ideal' : 'creditcard',
    language: 'en',
    ip_address: '203.0.113.7',
  })
}

/** How often the hub's waiting page sends the browser on before it leads back. */
const MOST_PAGES = 30

/** Returns the address to which the hub leads a customer who comes back from the sandbox. */
async function leadBack(wayBack: URL): Promise<string> {
  let address = wayBack
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const response = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) })
    const page = await response.text()
    const location = response.headers.get('location')
    if (location !== null) return new URL(location, address).href
    const [, seconds, next] = /http-equiv="refresh" content="(\d+); url=([^"]+)"/.exec(page) ?? []
    if (next === undefined) break
    await pause(Number(seconds) * 1000)
    address = new URL(next.replaceAll('&amp;', '&'), address)
  }
  throw new Error('The hub did not lead the customer back to the shop.')
}

async function waitFor(isReached: () => Promise<boolean>, otherwise: string): Promise<void> {
  const end = Date.now() + PATIENCE
  while (!(await isReached())) {
    if (Date.now() > end) throw new Error(`In ${PATIENCE / 1000} seconds ${otherwise}.`)
    await pause(LOOK_EVERY)
  }
}
