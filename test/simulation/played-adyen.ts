import { PATIENCE } from '../../src/psp/adyen/tables.ts'
import { adyenError } from '../support/psps/adyen-requests.ts'
import { type AdyenFake, OTHER, SHOP } from '../support/psps/adyen.ts'
import { type HeldLink, heldLink } from './adyen-links.ts'
import { type Asked, type Nth, type PlayedAccount, accountName } from './played-psp.ts'

/** A merchant account at Adyen, as the simulation moves it. */
export function playedAdyen(nth: Nth, adyen: AdyenFake): PlayedAccount {
  const account = [SHOP, OTHER][nth] ?? SHOP
  const held: HeldLink[] = []
  const all = () => {
    const own = adyen.links().filter(({ merchantAccount }) => merchantAccount === account.merchantAccount)
    for (const link of own.slice(held.length)) held.push(heldLink(adyen, link, account.hmacKey))
    return held
  }
  const [, origin = ''] = adyen.origins
  return {
    name: accountName('adyen', nth),
    psp: 'adyen',
    host: new URL(origin).hostname,
    patience: PATIENCE,
    credentials: (key) => ({ ...account, apiKey: account.apiKey + 'x'.repeat(key) }),
    proof: { header: 'x-api-key', of: (key) => account.apiKey + 'x'.repeat(key) },
    takes: () => true,
    // The hub has Adyen capture at once, unless the shop captures.
    reserves: 'never',
    countsWhenDone: true,
    showsRefunds: false,
    repeats: true,
    handle: (request) => adyen.handle(request),
    held: all,
    async read(request) {
      const [, , , resource, id, about] = new URL(request.url).pathname.split('/')
      const asked = askedBy(request.method, resource, about)
      // A payment's key is its job and the account.
      const [key = ''] = (request.headers.get('idempotency-key') ?? '').split('.')
      const payment = all().find((one) =>
        asked === 'announce' ? one.job === key : resource === 'payments' ? one.paidAs === id : one.id === id,
      )
      return { asked, payment: payment ?? null, key }
    },
    // Links are open for a day: the hub sets no other time.
    lives: () => {},
    forgetsKeys: () => adyen.forgetKeys(),
    behaves({ captures, releases }) {
      adyen.refuse('captures', captures === 'in vain' ? 'Refused by the issuer' : null)
      adyen.refuse('cancels', releases === 'in vain' ? 'Refused by the issuer' : null)
    },
    refuses: () => answered(adyenError(422, '137', 'Invalid amount specified')),
    knowsNone: () => answered(adyenError(404, '14_420', 'Payment link not found')),
    isBusy: () => answered(adyenError(409, '704', 'request already processed or in progress')),
    refusesKey: () => answered(adyenError(401, '000', 'HTTP Status Response - Unauthorized', 'security')),
    notifications: async ({ id }) => Promise.all(held.find((one) => one.id === id)?.tells() ?? []),
  }
}

function answered({ status, body }: { status: number; body: unknown }): Response {
  return Response.json(body, { status })
}

const MODIFIES: Readonly<Record<string, Asked>> = {
  captures: 'capture',
  cancels: 'release',
  refunds: 'refund',
}

function askedBy(method: string, resource: string | undefined, about: string | undefined): Asked {
  if (resource === 'payments') return MODIFIES[about ?? ''] ?? 'other'
  if (resource !== 'paymentLinks') return 'other'
  if (method === 'PATCH') return 'stop'
  return method === 'POST' ? 'announce' : 'look'
}
