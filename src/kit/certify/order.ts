import * as v from 'valibot'
import { type Hub, HubError, type PaymentJob } from '../../client/client.ts'
import { pause } from '../../client/pause.ts'
import { isHere } from '../../programs/chosen-hub.ts'
import {
  type Money,
  type ShopOrder,
  type PaymentKind,
  NOWHERE,
  ShopFault,
  USUAL,
  createJob,
  newPayment,
  shopOrder,
  standingOf,
} from '../payment.ts'
import { ReportBody } from '../report-rows.ts'
import type { TestHub } from '../test-hub.ts'
import { type Steps, newSteps } from './certificate.ts'
import type { CreateFault, HubWay, Made, Pass, ReportNetwork } from './network.ts'
import { type Addresses, type ReceiverAnswer, type AskPerson, type Shop, shopAt } from './shop.ts'

/** A hub and a shop, and the shop's signing secret; empty if it is not known. */
export type Setting = {
  hub: TestHub
  addresses: Addresses
  askPerson: AskPerson
  secret: string
  /** The port of this machine at which the shop's own client finds the hub. */
  port: number
  /** Ends the run. */
  stop: AbortSignal
}

/** The hub, the shop and the network of a run. `way` is null unless the shop's own client pays. */
export type World = Setting & { api: Hub; reports: ReportNetwork; way: HubWay | null; run: string } & {
  /** The ids of the payments that are played. */
  made: Set<string>
}

/** How long (ms) a scenario waits for the hub and the sandbox. */
const PATIENCE = 30_000
/** How long (ms) a shop may take to act on a report that it has answered. */
const PATIENCE_WITH_SHOP = 5000
/** How long (ms) a scenario waits for a shop to act on a report that it must not believe. */
const WRONG_PATIENCE = 400
const LOOK_EVERY = 200

export function isTaken(answer: ReceiverAnswer): boolean {
  return typeof answer === 'number' && answer >= 200 && answer < 300
}

let orders = 0

export type PlayedOrder = Awaited<ReturnType<typeof newOrder>>

/** What happens while the customer orders. */
export type AtShop = {
  /** The fault that the shop's own client meets once on its way to the hub. */
  fault?: CreateFault
  /** How often the customer clicks Pay. */
  clicks?: number
}

/** A customer orders, and goes to pay. Reports go to the shop; `faults` gets its mistakes. */
export async function newOrder(
  world: World,
  scenario: PaymentKind & AtShop,
  steps: Steps,
  faults: ShopFault[],
) {
  const { hub, api, reports, way, secret } = world
  const { money = USUAL, fault, clicks = 1 } = scenario
  const shop = shopAt(world.addresses, way?.origins ?? new Set(), world.askPerson, steps)
  const before = way?.creates.length ?? 0
  if (fault) {
    steps.note(`On the way to the hub: ${fault}`)
    way?.fail(fault)
  }
  const order = shopOrder(`${world.run}-${++orders}`, scenario)
  steps.note(`A customer orders ${order.order_number} for ${money.currency} ${money.amount}`)
  const madeOnePayment = async () => {
    const ids = new Set(way?.creates.slice(before).flatMap(({ job }) => job?.paymentJob ?? []))
    const jobs = await Promise.all(Array.from(ids, (one) => api.getPaymentJob(one)))
    const payable = jobs.filter(({ status }) => status !== 'CANCELLED')
    if (payable.length > 1) throw new ShopFault(`made ${payable.length} payments of one order`)
  }
  // A customer who gets an error goes to pay once more, for the same order.
  const made = await (way
    ? buyAtShop(shop, { ...world, way }, order, clicks, fault ? 2 : 1)
    : create(world, order))
  if (fault || clicks > 1) await madeOnePayment()
  const { paymentJob: id, orderNumber } = made
  world.made.add(id)
  const reported: string[] = []
  const deliver: Pass = async (report) => {
    // The scenario has failed, and asks no more of the shop.
    if (faults.length > 0) return 'no answer in time'
    const how = standingOf(v.parse(ReportBody, report.body))
    const answer = await shop.report(`A report comes: ${how}`, report)
    if (!isTaken(answer))
      faults.push(new ShopFault(`answered a genuine report with: ${answer}`, adviceFor(answer)))
    reported.push(how)
    return answer
  }
  reports.route(id, deliver)
  const payment = newPayment({ hub, api, deadline: () => Date.now() + PATIENCE, note: steps.note }, made, {
    reported: () => {
      const [first] = faults
      if (first) throw first
      return reported
    },
    comesBack: (address) => shop.open('The customer comes back', address),
    mustBePaid: (refunded) => expectPaid(shop, orderNumber, refunded),
    mustBeUnpaid: async () => {
      await pause(WRONG_PATIENCE)
      const { paid } = await shop.standing(orderNumber)
      if (paid) throw new ShopFault('calls an order paid that is not')
    },
    paysAgain: async () => {
      if (way) await shop.buy('Somebody at the till takes the money once more', order)
      await madeOnePayment()
    },
  })
  checkAmount(await ownJob(payment), money)
  if (!scenario.captures && way?.creates.some(({ job, isManual }) => isManual && job?.paymentJob === id))
    throw new ShopFault('reserved the money of an order that is to be paid at once', PAID_AT_ONCE)
  return {
    ...payment,
    shop,
    secret,
    deliver,
    /** The creates that the shop sent for it. */
    creates: () => way?.creates.slice(before) ?? [],
    /** Sets how the network treats the reports of this order from now on. */
    network: (does: string, pass: Pass) => {
      steps.note(does)
      reports.route(id, pass)
    },
    resendReport: async () => {
      await api.resendReport(id)
      steps.note('The shop asks for the report again')
    },
  }
}

const PAID_AT_ONCE = 'Order with "capture": "manual" only if the body at --pay-url says so.'

/** Tells whether the shop's own client captures later: its order says so if its customer's does. */
export async function capturesLater(world: World): Promise<boolean> {
  if (world.way === null) return false
  // Whatever else is wrong with the order, the scenarios show.
  await newOrder(world, { captures: true }, newSteps(), []).catch(() => {})
  return world.way.creates.some(({ isManual }) => isManual)
}

const OWN_KEY =
  'Start the shop with the key that HUB_API_KEY has, and with the signing secret of the same point of sale.'

/** Reads the job. Throws a ShopFault if it belongs to another point of sale than this certificate's. */
async function ownJob({ job }: { job: () => Promise<PaymentJob> }): Promise<PaymentJob> {
  return job().catch((error: unknown) => {
    if (!(error instanceof HubError) || error.code !== 'job-not-found') throw error
    throw new ShopFault('made the payment with the API key of another point of sale', OWN_KEY)
  })
}

/** Throws if the shop asked for another amount, for example one with other decimals. */
function checkAmount(job: PaymentJob, { amount, currency }: Money): void {
  if (job.currency === currency && Number(job.amountDue) === Number(amount)) return
  throw new ShopFault(`asked for ${job.currency} ${job.amountDue} instead of ${currency} ${amount}`)
}

/** Waits until the shop calls the order paid, once handled, with the same money refunded. */
async function expectPaid(shop: Shop, orderNumber: string, back: string): Promise<void> {
  const end = Date.now() + PATIENCE_WITH_SHOP
  for (;;) {
    const { paid, handled = 1, refunded = back } = await shop.standing(orderNumber)
    if (paid && handled > 1)
      throw new ShopFault(`handled one paid order ${handled} times: several reports may say that it is paid`)
    if (paid && Number(refunded) === Number(back)) return
    if (Date.now() > end) {
      throw new ShopFault(
        paid
          ? `says that ${refunded} went back, instead of ${back}`
          : 'calls an order unpaid that is paid, though it accepted the report',
      )
    }
    await pause(LOOK_EVERY)
  }
}

/** What to do about an answer that has nothing to do with what the report said. */
function adviceFor(answer: ReceiverAnswer): string | undefined {
  if (answer === 'no answer in time')
    return 'Answer first and work later: save the report, answer 2xx within 15 s, and handle the order afterwards.'
  if (answer === 400 || answer === 401 || answer === 403) {
    return (
      'Verify its signature over the raw body, byte for byte as it came in (not over JSON that you wrote again), ' +
      'with the signing secret of the point of sale that HUB_API_KEY belongs to.'
    )
  }
  if (answer !== 404 && answer !== 405 && answer !== 'no connection') return undefined
  return 'Take reports by POST at the report_url of your orders, or give --report-url.'
}

/** The shop makes the payment by its own client. */
async function buyAtShop(
  shop: Shop,
  world: World & { way: HubWay },
  wanted: ShopOrder,
  clicks: number,
  tries: number,
): Promise<Made> {
  const { creates } = world.way
  const click = () => shop.buy('The customer goes to pay', wanted)
  const payUrls = await Promise.all(Array.from({ length: clicks }, click))
  const isOwn = ({ job }: { job: Made | null }) => job?.orderNumber === wanted.order_number
  const atTerminal = wanted.terminal === undefined ? null : creates.findLast(isOwn)?.job
  if (atTerminal) return atTerminal
  if (payUrls.every((one) => one === null)) {
    if (tries > 1) return buyAtShop(shop, world, wanted, clicks, tries - 1)
    const refusal = world.way.refusal()
    const fault = 'answered a customer who wants to pay without the payUrl'
    if (refusal === null)
      throw new ShopFault(fault, 'Redirect the customer to the payUrl of the job, or answer { "payUrl": … }.')
    throw new ShopFault(
      `${fault}, because the hub answered ${refusal}`,
      /^40[13]/.test(refusal) ? OWN_KEY : undefined,
    )
  }
  const made = creates.findLast(({ job }) => job !== null && payUrls.includes(job.payUrl))?.job
  if (made) return made
  throw new ShopFault(
    'made a payment without the address of the hub that this certificate gives it',
    `Start the shop with http://localhost:${world.port} as the address of the hub.`,
  )
}

function create({ hub, api, addresses }: World, wanted: ShopOrder): Promise<Made> {
  const address = (given: string | null): string =>
    given !== null && (isHere(hub.url) || !isHere(given)) ? given : NOWHERE
  const back = new URL(address(addresses.return))
  back.searchParams.set('order_number', wanted.order_number)
  return createJob(api, wanted, { report: address(addresses.report), back: back.href })
}
