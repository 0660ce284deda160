import { PATIENCE } from '../../src/psp/multisafepay/tables.ts'
import { failed } from '../support/psps/multisafepay-order.ts'
import { multisafepayFake } from '../support/psps/multisafepay.ts'
import { type HeldOrder, heldOrder, hubIdIn } from './multisafepay-orders.ts'
import { type RequestKind, type Nth, type PlayedAccount, accountName } from './played-psp.ts'

/**
 * An account at MultiSafepay for the simulation. It has no idempotency keys: an order or refund is known by
 * its id, which is the same at both accounts.
 */
export function playedMultisafepay(nth: Nth): PlayedAccount {
  const multisafepay = multisafepayFake()
  const account = multisafepay.accounts[nth]
  // One of the two accounts hides a terminal's order until a customer is there.
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
    hosts: ['api.multisafepay.com'],
    patience: PATIENCE,
    credentials: (key) => ({ apiKey: apiKeyOf(key), terminalKey }),
    proof: { header: 'api_key', of: apiKeyOf, atTerminals: terminalKey },
    addTerminal: (id) =>
      void multisafepay.terminals.push({
        id,
        provider: 'SMARTPOS',
        name: id,
        active: true,
        key: terminalKey,
      }),
    // The adapter refuses a currency whose decimals at MultiSafepay are unknown.
    takes: (currency) => currency !== 'KWD',
    reserves: 'until it is let go',
    repeats: false,
    countsWhenDone: true,
    showsRefunds: true,
    async handle(request) {
      const { order, sent, kind } = await readRequest(request)
      const response = await multisafepay.handle(request)
      const payment = all().find(({ id }) => id === order)
      const isWhole = kind === 'capture' && response.ok && sent.amount === payment?.amount
      if (payment && isWhole) payment.whole = hubIdIn(sent.new_order_id ?? '')
      return response
    },
    held: all,
    async read(request) {
      const { order, sent, kind } = await readRequest(request)
      const known = multisafepay.orders().find((one) => one.order.order_id === order)
      const payment = all().find(({ id }) => id === (known?.partOf ?? order)) ?? null
      const job = order?.slice(0, 36) ?? ''
      return { kind, payment, key: sent.refund_order_id ?? hubIdIn(sent.new_order_id ?? '') ?? job }
    },
    // The hub sets how long orders are open.
    setLifetime: () => {},
    forgetKeys: () => {},
    setManner: () => {},
    refusal: () => failed(400, 1023, 'No new payments now'),
    notFound: () => failed(404, 1006, 'Invalid transaction ID'),
    busy: () => new Response('busy', { status: 503 }),
    wrongKey: () => failed(401, 1032, 'Invalid API key'),
    notifications: ({ job }) => multisafepay.notify(job, Date.now()),
  }
}

type Sent = { order_id?: string; refund_order_id?: string; new_order_id?: string; amount?: number }

async function readRequest(request: Request) {
  const [, , , place, id, about] = new URL(request.url).pathname.split('/')
  const kind = place === 'capture' ? 'release' : requestKind(request.method, about, id)
  const sent = request.method === 'POST' ? await request.clone().json<Sent>() : {}
  return { kind, sent, order: id ?? sent.order_id } as const
}

function requestKind(method: string, about: string | undefined, id: string | undefined): RequestKind {
  if (about === 'capture') return 'capture'
  if (about === 'cancel') return 'stop'
  if (about === 'refunds') return 'refund'
  if (method === 'PATCH') return 'stop'
  return method === 'POST' ? 'announce' : id === undefined ? 'other' : 'look'
}
