import { decimalsOf } from '../../src/contract/money.ts'
import { member, textOf } from '../support/psps/adyen-cloud.ts'
import { type TerminalPayment, asPaid } from '../support/psps/adyen-terminal-answers.ts'
import { AT_COUNTER, type AdyenFake } from '../support/psps/adyen.ts'
import type { SentNotification } from '../support/psps/fake-psp.ts'
import { type HeldLink, heldLink } from './adyen-links.ts'
import type { PspStatus, RequestKind } from './played-psp.ts'

/** How long (ms) a terminal waits for a card, and works on one. */
const WAITS = 300_000
const AUTHORISES = 120_000

const KINDS: Readonly<Record<string, RequestKind>> = {
  Payment: 'announce',
  TransactionStatus: 'look',
  Abort: 'stop',
}

/** Returns what a request to a terminal is for: its payment, and the job of a new one. Null for other requests. */
export async function terminalRequest(request: Request) {
  if (!request.url.includes('/devices/')) return null
  if (request.method !== 'POST') return { kind: 'other', about: '', key: '' } as const
  const sent = member(await request.clone().json(), 'SaleToPOIRequest')
  const [header, category] = [member(sent, 'MessageHeader'), member(sent, 'MessageHeader', 'MessageCategory')]
  const content = member(sent, `${textOf(category)}Request`)
  const serviceId = member(content, 'MessageReference', 'ServiceID') ?? member(header, 'ServiceID')
  return {
    kind: KINDS[textOf(category)] ?? 'other',
    about: `${textOf(member(header, 'POIID'))}/${textOf(serviceId)}`,
    key: textOf(member(content, 'SaleData', 'SaleTransactionID', 'TransactionID')),
  } as const
}

function statusOf({ response }: TerminalPayment): PspStatus {
  const end = member(response, 'Response')
  if (response === null) return 'open'
  if (member(end, 'Result') !== 'Failure') return 'paid'
  return ['Cancel', 'Aborted'].includes(textOf(member(end, 'ErrorCondition'))) ? 'canceled' : 'failed'
}

/**
 * A payment at a terminal. Once it is paid, its money moves as that of a link does.
 * `ended`: the notifications of the account's terminals that a payment has ended.
 */
export function heldAtTerminal(
  adyen: AdyenFake,
  payment: TerminalPayment,
  ended: SentNotification[],
): HeldLink {
  const { terminals } = adyen
  const { job, terminal, serviceId, currency } = payment
  const began = Date.now()
  let [tip, cardReadAt] = [0, Infinity]
  // The amount includes the tip, once there is one.
  const link = Object.defineProperty(asPaid(payment, AT_COUNTER), 'request', {
    get: () => asPaid(payment, AT_COUNTER).request,
  })
  const paid = heldLink(adyen, link, AT_COUNTER.hmacKey, { additionalData: {} })
  const { notifications } = paid
  const ofLink = Object.getOwnPropertyDescriptor(paid, 'status')
  const end = (ends: () => void): void => {
    if (payment.response === null) ends()
  }
  const passTime = (): void => {
    if (Date.now() >= cardReadAt + AUTHORISES) payment.isThrough = false
    if (Date.now() >= began + WAITS && !payment.isThrough)
      end(() => terminals.fail(job, 'Cancel', 'message=103+CANCELLED_BY_TIMEOUT'))
  }
  return Object.defineProperties(paid, {
    ...Object.getOwnPropertyDescriptors({
      id: `${terminal}/${serviceId}`,
      expiresAt: null,
      mayComeLate: false,
      get status(): PspStatus {
        passTime()
        return statusOf(payment)
      },
      set status(next) {
        if (next === 'paid') {
          end(() => {
            terminals.tap(job, { tip: tip / 10 ** decimalsOf(currency) })
            ofLink?.set?.call(this, 'paid')
          })
        }
        if (next === 'failed') end(() => terminals.fail(job, 'Refusal', 'refusalReason=214+Declined+online'))
        if (next === 'expired') end(() => terminals.fail(job, 'Cancel', 'message=108+Shopper+cancelled+tx'))
      },
      atTerminal: {
        isSent: () => member(payment.response, 'Response', 'ErrorCondition') !== 'Busy',
        isWaiting: () => payment.response === null,
        readCard() {
          terminals.read(job)
          cardReadAt = Date.now()
        },
        addTip: (more: number) => void (tip += more),
        isConnected: (is: boolean) => terminals.switch(terminal, is),
      },
    }),
    notifications: {
      value: () => {
        ended.push(...terminals.events())
        const own = ended.filter(({ body }) => body.includes(serviceId))
        return [...own.map(async (event) => event), ...notifications()]
      },
    },
  })
}
