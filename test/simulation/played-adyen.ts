import { PATIENCE } from '../../src/psp/adyen/tables.ts'
import { adyenError } from '../support/psps/adyen-requests.ts'
import { type AdyenFake, OTHER, SHOP } from '../support/psps/adyen.ts'
import { type HeldLink, heldLink } from './adyen-links.ts'
import { type RequestKind, type Nth, type PlayedAccount, accountName } from './played-psp.ts'

/** A merchant account at Adyen for the simulation. */
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
    // Adyen captures at once, unless the shop captures manually.
    reserves: 'never',
    countsWhenDone: true,
    showsRefunds: false,
    repeats: true,
    handle: (request) => adyen.handle(request),
    held: all,
    async read(request) {
      const [, , , resource, id, about] = new URL(request.url).pathname.split('/')
      const kind = requestKind(request.method, resource, about)
      // The key of a payment is its job and its account, with a dot between.
      const [key = ''] = (request.headers.get('idempotency-key') ?? '').split('.')
      const payment = all().find((link) =>
        kind === 'announce'
          ? link.job === key
          : resource === 'payments'
            ? link.paidAs === id
            : link.id === id,
      )
      return { kind, payment: payment ?? null, key }
    },
    // Links are always open for a day: the hub sets no time.
    setLifetime: () => {},
    forgetKeys: () => adyen.forgetKeys(),
    setManner({ captures, releases }) {
      adyen.refuse('captures', captures === 'in vain' ? 'Refused by the issuer' : null)
      adyen.refuse('cancels', releases === 'in vain' ? 'Refused by the issuer' : null)
    },
    refusal: () => answered(adyenError(422, '137', 'Invalid amount specified')),
    notFound: () => answered(adyenError(404, '14_420', 'Payment link not found')),
    busy: () => answered(adyenError(409, '704', 'request already processed or in progress')),
    wrongKey: () => answered(adyenError(401, '000', 'HTTP Status Response - Unauthorized', 'security')),
    notifications: async ({ id }) => Promise.all(held.find((link) => link.id === id)?.notifications() ?? []),
  }
}

function answered({ status, body }: { status: number; body: unknown }): Response {
  return Response.json(body, { status })
}

const MODIFIES: Readonly<Record<string, RequestKind>> = {
  captures: 'capture',
  cancels: 'release',
  refunds: 'refund',
}

function requestKind(method: string, resource: string | undefined, about: string | undefined): RequestKind {
  if (resource === 'payments') return MODIFIES[about ?? ''] ?? 'other'
  if (resource !== 'paymentLinks') return 'other'
  if (method === 'PATCH') return 'stop'
  return method === 'POST' ? 'announce' : 'look'
}
