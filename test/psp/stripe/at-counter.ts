import type { Fetch, PaymentRequest, TerminalRequest } from '../../../src/psp/port.ts'
import { stripe } from '../../../src/psp/stripe/adapter.ts'
import type { SentNotification } from '../../support/psps/fake-psp.ts'
import type { Reader } from '../../support/psps/stripe-terminal.ts'
import { stripeFake } from '../../support/psps/stripe.ts'
import { patience, paymentRequestOf } from '../scripted.ts'

type Keys = { secretKey: string; webhookSecret: string }

/** A reader at the counter of a shop that uses the fake Stripe. `fault` acts between Stripe and the hub. */
export function counter(readerChanges: Partial<Reader> = {}) {
  const fake = stripeFake()
  const [credentials] = fake.accounts as readonly [Keys, Keys]
  const at: { fault: Fetch | null } = { fault: null }
  const asked: string[] = []
  const fetch: Fetch = (request) => {
    const { pathname } = new URL(request.url)
    asked.push(`${request.method} ${pathname.replaceAll(/(tmr|pi)_\w+/g, '$1')}`)
    return at.fault ? at.fault(request) : fake.handle(request)
  }
  const psp = stripe.open({ fetch, mode: 'live', credentials })
  const { terminals } = psp
  if (!terminals) throw new Error('Stripe drives no terminals')
  const reader = fake.addReader(readerChanges)

  /** An event at Stripe without the hub. */
  const stripeApi = async (path: string, form: Record<string, string> = {}) => {
    const headers = {
      authorization: `Bearer ${credentials.secretKey}`,
      'content-type': 'application/x-www-form-urlencoded',
    }
    const body = new URLSearchParams(form).toString()
    const request = new Request(`https://api.stripe.com${path}`, { method: 'POST', headers, body })
    const answer = await fake.handle(request)
    if (!answer.ok) throw new Error(await answer.text())
  }

  /** An order at this reader. */
  const order = (changes: Partial<PaymentRequest> = {}) => {
    const job = crypto.randomUUID()
    const announce = (start: Partial<TerminalRequest> = {}) =>
      terminals.announce(
        paymentRequestOf(job, {
          paymentMethod: 'terminal',
          ...changes,
          terminal: { id: reader.id, isSent: false, mayStart: true, ...start },
        }),
        patience,
      )
    const reference = () => fake.madeWith(job) ?? ''
    return {
      job,
      announce,
      reference,
      ask: () => terminals.ask(reference(), 'EUR'),
      stop: () => terminals.stop(reference(), 'EUR'),
    }
  }

  return {
    fake,
    psp,
    terminals,
    reader,
    at,
    asked,
    stripeApi,
    order,
    present: (form: Record<string, string> = {}) =>
      stripeApi(`/v1/test_helpers/terminal/readers/${reader.id}/present_payment_method`, form),
    /** The payment intent as Stripe shows it, with its charge. */
    async shown(reference: string) {
      const headers = { authorization: `Bearer ${credentials.secretKey}` }
      const url = `https://api.stripe.com/v1/payment_intents/${reference}?expand[]=latest_charge`
      return (await fake.handle(new Request(url, { headers }))).json<{ latest_charge: object }>()
    },
    read: ({ headers, body }: SentNotification, sentAt: number) =>
      psp.readNotification({ job: null, headers: new Headers(headers), body, at: sentAt }),
    /** The number of the hub's requests to process a payment. */
    processed: () => asked.filter((one) => one.endsWith('/process_payment_intent')).length,
  }
}
