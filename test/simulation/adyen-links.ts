import {
  type AdyenModification,
  type Received,
  modificationItem,
} from '../support/psps/adyen-modifications.ts'
import {
  type AdyenLink,
  type AdyenWebhookItem,
  adyenItem,
  pspReferenceOf,
  sendItem,
} from '../support/psps/adyen-webhook.ts'
import { type AdyenFake, showLink } from '../support/psps/adyen.ts'
import type { SentNotification } from '../support/psps/fake-psp.ts'
import {
  type HeldMove,
  type HeldPayment,
  type PspStatus,
  type Reservation,
  pathOf,
  statusOfReserved,
} from './played-psp.ts'

const STATUSES: Record<AdyenLink['status'], PspStatus> = {
  active: 'open',
  paymentPending: 'pending',
  completed: 'paid',
  expired: 'expired',
}

/**
 * Returns the status of a link whose payment gets a status. A failed attempt leaves the link open; if pending
 * money does not arrive, the link expires.
 */
function statusOf(link: AdyenLink, status: PspStatus): AdyenLink['status'] {
  if (status === 'failed') return link.status === 'active' ? 'active' : 'expired'
  if (status === 'pending') return 'paymentPending'
  if (status === 'paid' || status === 'authorized') return 'completed'
  return status === 'open' ? 'active' : 'expired'
}

/**
 * Returns the reserved money of a link; null if none was reserved. A capture counts once Adyen has carried it
 * out.
 */
function reservationOf(adyen: AdyenFake, link: AdyenLink, authorized: number): Reservation | null {
  if (link.authorisedAt === undefined) return null
  const done = adyen.receivedOf(link).filter(({ kind, isDone }) => kind === 'captures' && isDone)
  const captured = done.reduce((sum, { made }) => sum + made.amount.value, 0)
  return { authorized, captured, released: authorized - captured - adyen.heldOf(link, Date.now()) }
}

function heldCapture(adyen: AdyenFake, { made, isDone }: Received): HeldMove {
  return {
    id: made.pspReference,
    amount: made.amount.value,
    hubId: made.reference.split('.')[1] ?? null,
    get state() {
      return isDone ? 'done' : 'failed'
    },
    set state(state) {
      if (state === 'failed') adyen.failCapture(made.pspReference)
    },
  }
}

function lostToDisputes(disputes: readonly { taken: number }[]): number {
  return disputes.reduce((sum, { taken }) => sum + taken, 0)
}

function minor(link: AdyenLink, value: number) {
  return {
    currency: (link.request['amount'] as AdyenWebhookItem['amount']).currency,
    value,
  }
}

export type HeldLink = HeldPayment & { paidAs: string; notifications: () => Promise<SentNotification>[] }

/**
 * A link, with the notifications that Adyen owes the hub: its API does not show what happens to the money.
 * `about`: what they say besides.
 */
export function heldLink(
  adyen: AdyenFake,
  link: AdyenLink,
  hmacKey: string,
  about: Partial<AdyenWebhookItem> = {},
): HeldLink {
  const job = String(link.request['reference'])
  const events: (() => Promise<SentNotification>)[] = []
  const refunds: HeldMove[] = []
  const amountNow = () => (link.request['amount'] as AdyenWebhookItem['amount']).value
  const disputes: { pspReference: string; taken: number; isOver: boolean }[] = []
  const addEvent = (eventCode: string, by: number, changes: Partial<AdyenWebhookItem>): void =>
    void events.push(() => {
      const item = { ...adyenItem(link, 'authorized', Date.now()), originalReference: pspReferenceOf(link) }
      return sendItem({ ...item, ...about, eventCode, amount: minor(link, by), ...changes }, hmacKey)
    })
  const newRefund = (
    id: string,
    own: Pick<HeldMove, 'amount' | 'hubId'>,
    notify: (changes: Partial<AdyenWebhookItem>) => void,
  ): HeldMove => {
    let state: HeldMove['state'] = 'pending'
    return {
      id,
      ...own,
      get state() {
        return state
      },
      set state(next) {
        const done = refunds.filter((refund) => refund.state === 'done')
        const received = reservationOf(adyen, link, amountNow())?.captured ?? amountNow()
        const sum = done.reduce(
          (total, refund) => total + refund.amount,
          own.amount + lostToDisputes(disputes),
        )
        // Adyen accepts every refund. If it exceeds what is left, a notification later says that it failed.
        const wasDone = state === 'done'
        state = next === 'done' && sum > received ? 'failed' : next
        if (wasDone) notify({ eventCode: 'REFUND_FAILED', success: 'true' })
        else if (state !== 'pending') notify({ success: String(state === 'done') })
      },
    }
  }
  const hubRefund = (made: AdyenModification): HeldMove =>
    newRefund(
      made.pspReference,
      { amount: made.amount.value, hubId: made.reference.split('.')[1] ?? null },
      (changes) =>
        void events.push(() => {
          const item = modificationItem(link, made, Date.now(), { eventCode: 'REFUND', ...changes })
          return sendItem(item, hmacKey)
        }),
    )
  return {
    id: link.id,
    job,
    get amount() {
      return amountNow()
    },
    method: null,
    checkoutUrl: showLink(link).url,
    expiresAt: Date.parse(link.expiresAt),
    mayComeLate: true,
    endsWhenCancelled: false,
    get status() {
      const { reservation } = this
      return reservation ? statusOfReserved(reservation) : STATUSES[link.status]
    },
    set status(status) {
      link.status = statusOf(link, status)
      if (status === 'authorized') link.authorisedAt = Date.now()
      if (link.status === 'completed') addEvent('AUTHORISATION', this.amount, { originalReference: '' })
      else if (status === 'failed')
        addEvent('AUTHORISATION', this.amount, { originalReference: '', success: 'false' })
    },
    isManual: link.request['manualCapture'] === true,
    get reservation() {
      return reservationOf(adyen, link, this.amount)
    },
    get captures() {
      const all = adyen.receivedOf(link).filter(({ kind }) => kind === 'captures')
      return all.map((received) => heldCapture(adyen, received))
    },
    captureByHand: (value) => void adyen.byHand(link.id, 'captures', value),
    letGo: () => void adyen.byHand(link.id, 'cancels'),
    // The double works out by the clock what is still reserved.
    lapse: () => {},
    get chargedBack() {
      return lostToDisputes(disputes)
    },
    set chargedBack(next) {
      const by = next - this.chargedBack
      if (by === 0) return
      // All events of a dispute share a reference. When money comes back, the shop wins the newest dispute that
      // is open, or a part of it.
      const dispute =
        by > 0
          ? { pspReference: `DISPUTE${events.length}`, taken: by, isOver: false }
          : disputes.findLast(({ isOver }) => !isOver)
      if (!dispute) return
      const { pspReference, taken } = dispute
      const won = Math.min(-by, taken)
      if (by > 0) disputes.push(dispute)
      else Object.assign(dispute, { isOver: true, taken: taken - won })
      addEvent(by > 0 ? 'CHARGEBACK' : 'CHARGEBACK_REVERSED', by > 0 ? by : won, { pspReference })
    },
    get refunds() {
      const mine = adyen.refunds().filter((made) => made.paymentPspReference === pspReferenceOf(link))
      for (const made of mine)
        if (!refunds.some(({ id }) => id === made.pspReference)) refunds.push(hubRefund(made))
      return refunds
    },
    refundByHand(sent) {
      const pspReference = `THERE${events.length}${refunds.length}`
      const refund = newRefund(pspReference, { amount: sent, hubId: null }, (changes) =>
        addEvent('REFUND', sent, { pspReference, ...changes }),
      )
      refunds.push(refund)
      return refund
    },
    atTerminal: null,
    returnPath: () => pathOf(String(link.request['returnUrl'])),
    paidAs: pspReferenceOf(link),
    notifications: () => [...events.map((event) => event()), ...adyen.tellOf(link, Date.now())],
  }
}
