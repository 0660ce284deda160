import { PATIENCE } from '../../src/psp/adyen/tables.ts'
import { adyenError } from '../support/psps/adyen-requests.ts'
import type { SentNotification } from '../support/psps/fake-psp.ts'
import { type AdyenFake, AT_COUNTER, OTHER } from '../support/psps/adyen.ts'
import { heldAtTerminal, terminalRequest } from './adyen-at-terminal.ts'
import { type HeldLink, heldLink } from './adyen-links.ts'
import { type RequestKind, type Nth, type PlayedAccount, accountName } from './played-psp.ts'

/** A merchant account at Adyen for the simulation. */
export function playedAdyen(nth: Nth, adyen: AdyenFake): PlayedAccount {
  const account = [AT_COUNTER, OTHER][nth] ?? AT_COUNTER
  const held: HeldLink[] = []
  const known = new Set<unknown>()
  const ended: SentNotification[] = []
  const all = () => {
    const own = adyen.links().filter(({ merchantAccount }) => merchantAccount === account.merchantAccount)
    const begun = nth === 0 ? adyen.terminals.payments() : []
    for (const link of own.filter((made) => !known.has(made)))
      held.push(heldLink(known.add(link) && adyen, link, account.hmacKey))
    for (const payment of begun.filter((made) => !known.has(made)))
      held.push(heldAtTerminal(known.add(payment) && adyen, payment, ended))
    return held
  }
  return {
    name: accountName('adyen', nth),
    psp: 'adyen',
    hosts: adyen.origins.slice(1).map((origin) => new URL(origin).hostname),
    patience: PATIENCE,
    credentials: (key) => ({ ...account, apiKey: account.apiKey + 'x'.repeat(key) }),
    proof: { header: 'x-api-key', of: (key) => account.apiKey + 'x'.repeat(key) },
    ...(nth === 0 ? { addTerminal: (id) => void adyen.terminals.add(id) } : {}),
    takes: () => true,
    // Adyen captures at once, unless the shop captures manually.
    reserves: 'never',
    countsWhenDone: true,
    showsRefunds: false,
    repeats: true,
    handle: (request) => adyen.handle(request),
    held: all,
    async read(request) {
      const nexo = await terminalRequest(request)
      if (nexo) return { ...nexo, payment: all().findLast(({ id }) => id === nexo.about) ?? null }
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
    busy: ({ url }) =>
      url.includes('/devices/')
        ? new Response('busy', { status: 503 })
        : answered(adyenError(409, '704', 'request already processed or in progress')),
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
