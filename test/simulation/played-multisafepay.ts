import { PATIENCE } from '../../src/psp/multisafepay/tables.ts'
import { failed } from '../support/psps/multisafepay-order.ts'
import { multisafepayFake } from '../support/psps/multisafepay.ts'
import { type HeldOrder, heldOrder, hubIdIn } from './multisafepay-orders.ts'
import { type Asked, type Nth, type PlayedAccount, accountName } from './played-psp.ts'

/**
 * An account at MultiSafepay, as the simulation moves it. It has no idempotency keys: an order, and
 * a refund, is known by its id, which is the same at both accounts.
 */
export function playedMultisafepay(nth: Nth): PlayedAccount {
  const multisafepay = multisafepayFake()
  const account = multisafepay.accounts[nth]
  // One of both shows an order for a terminal only once a customer is at it.
  multisafepay.hidesUntouched = nth === 1
  const terminalKey = 'terminalKey' in account ? String(account.terminalKey) : ''
  const apiKeyOf = (key: number) => ('apiKey' in account ? String(account.apiKey) : '') + 'x'.repeat(key)
  const held: HeldOrder[] = []
  const all = () => {
    const orders = multisafepay.orders()
    const own = orders.filter(({ partOf }) => partOf === undefined)
    for (const made of own.slice(held.length)) {
      const { order_id } = made.order
      const hands = {
        moveBack: (by: number) =>
          multisafepay.moveBack(order_id, by > 0 ? 'chargeback' : 'reverse-chargeback', Math.abs(by)),
        capture: (amount: number) => multisafepay.captureByHand(order_id, amount),
        decline: (id: string) => multisafepay.declineCapture(order_id, id),
        payAtTerminal: (tip: number) => multisafepay.payAtTerminal(order_id, tip),
        declineAtTerminal: () => multisafepay.declineAtTerminal(order_id),
        parts: () => multisafepay.orders().filter(({ partOf }) => partOf === order_id),
      }
      held.push(heldOrder(made, hands))
    }
    return held
  }
  return {
    name: accountName('multisafepay', nth),
    psp: 'multisafepay',
    host: 'api.multisafepay.com',
    patience: PATIENCE,
    credentials: (key) => ({ apiKey: apiKeyOf(key), terminalKey }),
    proof: { header: 'api_key', of: apiKeyOf, atTerminals: terminalKey },
    hasTerminal: (id) =>
      void multisafepay.terminals.push({
        id,
        provider: 'SMARTPOS',
        name: id,
        active: true,
        key: terminalKey,
      }),
    // The hub does not know how it counts others: the adapter refuses those.
    takes: (currency) => currency !== 'KWD',
    reserves: 'until it is let go',
    repeats: false,
    countsWhenDone: true,
    showsRefunds: true,
    async handle(request) {
      const { order, sent, asked } = await readRequest(request)
      const response = await multisafepay.handle(request)
      const payment = all().find(({ id }) => id === order)
      const isWhole = asked === 'capture' && response.ok && sent.amount === payment?.amount
      if (payment && isWhole) payment.whole = hubIdIn(sent.new_order_id ?? '')
      return response
    },
    held: all,
    async read(request) {
      const { order, sent, asked } = await readRequest(request)
      const known = multisafepay.orders().find((one) => one.order.order_id === order)
      const payment = all().find(({ id }) => id === (known?.partOf ?? order)) ?? null
      const job = order?.slice(0, 36) ?? ''
      return { asked, payment, key: sent.refund_order_id ?? hubIdIn(sent.new_order_id ?? '') ?? job }
    },
    // Orders are open for as long as the hub asks for.
    lives: () => {},
    forgetsKeys: () => {},
    behaves: () => {},
    refuses: () => failed(400, 1023, 'No new payments now'),
    knowsNone: () => failed(404, 1006, 'Invalid transaction ID'),
    isBusy: () => new Response('busy', { status: 503 }),
    refusesKey: () => failed(401, 1032, 'Invalid API key'),
    notifications: ({ job }) => multisafepay.notify(job, Date.now()),
  }
}

type Sent = { order_id?: string; refund_order_id?: string; new_order_id?: string; amount?: number }

async function readRequest(request: Request) {
  const [, , , place, id, about] = new URL(request.url).pathname.split('/')
  const asked = place === 'capture' ? 'release' : askedBy(request.method, about, id)
  const sent = request.method === 'POST' ? await request.clone().json<Sent>() : {}
  return { asked, sent, order: id ?? sent.order_id } as const
}

function askedBy(method: string, about: string | undefined, id: string | undefined): Asked {
  if (about === 'capture') return 'capture'
  if (about === 'cancel') return 'stop'
  if (about === 'refunds') return 'refund'
  if (method === 'PATCH') return 'stop'
  return method === 'POST' ? 'announce' : id === undefined ? 'other' : 'look'
}
