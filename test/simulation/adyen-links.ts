import { type AdyenModification, modificationItem } from '../support/psps/adyen-modifications.ts'
import {
  type AdyenLink,
  type AdyenWebhookItem,
  adyenItem,
  pspReferenceOf,
  sendItem,
} from '../support/psps/adyen-webhook.ts'
import { type AdyenFake, showLink } from '../support/psps/adyen.ts'
import type { SentNotification } from '../support/psps/fake-psp.ts'
import type { HeldPayment, HeldRefund, PspStatus } from './played-psp.ts'

const STANDS: Record<AdyenLink['status'], PspStatus> = {
  active: 'open',
  paymentPending: 'pending',
  completed: 'paid',
  expired: 'expired',
}

/**
 * What a link is once its payment is to stand so. An attempt that fails leaves it open; money that
 * does not come ends it.
 */
function becomes(link: AdyenLink, status: PspStatus): AdyenLink['status'] {
  if (status === 'failed') return link.status === 'active' ? 'active' : 'expired'
  if (status === 'pending') return 'paymentPending'
  if (status === 'paid') return 'completed'
  return status === 'open' ? 'active' : 'expired'
}

function minor(link: AdyenLink, value: number) {
  return {
    currency: (link.request['amount'] as AdyenWebhookItem['amount']).currency,
    value,
  }
}

export type HeldLink = HeldPayment & { paidAs: string; tells: () => Promise<SentNotification>[] }

/** A link, and all that Adyen has had to tell of its money: nothing but a notification does. */
export function heldLink(adyen: AdyenFake, link: AdyenLink, hmacKey: string): HeldLink {
  const job = String(link.request['reference'])
  const events: (() => Promise<SentNotification>)[] = []
  const refunds: HeldRefund[] = []
  const amount = (link.request['amount'] as AdyenWebhookItem['amount']).value
  let chargedBack = 0
  const tell = (eventCode: string, by: number, changes: Partial<AdyenWebhookItem>): void =>
    void events.push(() => {
      const item = { ...adyenItem(link, 'authorized', Date.now()), originalReference: pspReferenceOf(link) }
      return sendItem({ ...item, eventCode, amount: minor(link, by), ...changes }, hmacKey)
    })
  const newRefund = (
    id: string,
    own: Pick<HeldRefund, 'amount' | 'hubId'>,
    said: (changes: Partial<AdyenWebhookItem>) => void,
  ): HeldRefund => {
    let state: HeldRefund['state'] = 'pending'
    return {
      id,
      ...own,
      get state() {
        return state
      },
      set state(next) {
        const done = refunds.filter((refund) => refund.state === 'done')
        const sum = done.reduce((total, refund) => total + refund.amount, own.amount + chargedBack)
        // Adyen takes any refund, and tells later that one of more than there is has failed.
        const wasDone = state === 'done'
        state = next === 'done' && sum > amount ? 'failed' : next
        if (wasDone) said({ eventCode: 'REFUND_FAILED', success: 'true' })
        else if (state !== 'pending') said({ success: String(state === 'done') })
      },
    }
  }
  const ofHub = (made: AdyenModification): HeldRefund =>
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
    amount,
    method: null,
    checkoutUrl: showLink(link).url,
    expiresAt: Date.parse(link.expiresAt),
    mayComeLate: true,
    endsWhenCancelled: false,
    get status() {
      return STANDS[link.status]
    },
    set status(status) {
      link.status = becomes(link, status)
      if (link.status === 'completed') tell('AUTHORISATION', this.amount, { originalReference: '' })
      else if (status === 'failed')
        tell('AUTHORISATION', this.amount, { originalReference: '', success: 'false' })
    },
    get chargedBack() {
      return chargedBack
    },
    set chargedBack(next) {
      const by = next - chargedBack
      chargedBack = next
      const pspReference = `DISPUTE${events.length}`
      tell(by > 0 ? 'CHARGEBACK' : 'CHARGEBACK_REVERSED', Math.abs(by), { pspReference })
    },
    get refunds() {
      const mine = adyen.refunds().filter((made) => made.paymentPspReference === pspReferenceOf(link))
      for (const made of mine)
        if (!refunds.some(({ id }) => id === made.pspReference)) refunds.push(ofHub(made))
      return refunds
    },
    refundThere(sent) {
      const pspReference = `THERE${events.length}${refunds.length}`
      const refund = newRefund(pspReference, { amount: sent, hubId: null }, (changes) =>
        tell('REFUND', sent, { pspReference, ...changes }),
      )
      refunds.push(refund)
      return refund
    },
    backTo: () => {
      const { pathname, search } = new URL(String(link.request['returnUrl']))
      return pathname + search
    },
    paidAs: pspReferenceOf(link),
    tells: () => events.map((event) => event()),
  }
}
