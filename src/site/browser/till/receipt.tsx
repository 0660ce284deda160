import type { PaymentJob } from '../../../contract/payment-job.ts'
import { shownText } from '../../../platform/pages/formats.ts'
import { moneyOf, say, tag } from './speech.ts'
import { askedOf } from './words.ts'

type Props = { job: PaymentJob; standing: string }

/** The customer's receipt, to print: the order, the money, and the card as the PSP reported it. */
export function Receipt({ job, standing }: Props) {
  const { card = {}, amountTip, currency, orderNumber, payments, lastUpdate } = job
  const paidAt = payments.steps.find(({ status }) => status === 'SUCCESS')?.creationDate ?? lastUpdate
  const number = card.lastFour === undefined ? '' : `•••• ${card.lastFour}`
  const rows = [
    [say('order'), shownText(orderNumber)],
    [say('time'), new Date(paidAt).toLocaleString(tag, { dateStyle: 'medium', timeStyle: 'short' })],
    [say('amount'), amountTip === undefined ? '' : moneyOf(askedOf(job), currency)],
    [say('tip'), amountTip === undefined ? '' : moneyOf(amountTip, currency)],
    [say('paid'), moneyOf(job.amountPaid, currency)],
    [say('card'), [card.brand ?? '', number].join(' ').trim()],
    [say('entryMode'), (card.entryMode ?? '').replaceAll('_', ' ')],
    [say('authorisation'), card.authorisationCode ?? ''],
  ] as const
  return (
    <section class="receipt" aria-labelledby="receipt-title">
      <h3 id="receipt-title">{say('receipt')}</h3>
      <p class="printed">{standing}</p>
      <dl>
        {rows
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{value}</bdi>
              </dd>
            </div>
          ))}
      </dl>
      <p class="unprinted">
        <button type="button" class="button" onClick={() => print()}>
          {say('print')}
        </button>
      </p>
    </section>
  )
}
