import type { PaymentJob } from '../contract/payment-job.ts'
import { shownText } from '../platform/pages/formats.ts'
import type { Refund } from '../contract/instruction.ts'
import { money, moneyOf, say, tag } from './speech.ts'
import { amountsOf, askedOf, backOf, cardWords } from './words.ts'

type Props = { job: PaymentJob; refunds: readonly Refund[]; standing: string; method: string }

/** The customer's receipt, to print: the order, the money, and the card as the PSP reported it. */
export function Receipt({ job, refunds, standing, method }: Props) {
  const { card = {}, currency, orderNumber, payments, lastUpdate } = job
  const paidAt = payments.steps.find(({ status }) => status === 'SUCCESS')?.creationDate ?? lastUpdate
  const [words, { back }] = [cardWords(card), backOf(job, refunds)]
  const rows = [
    [say('order'), shownText(orderNumber)],
    [say('time'), new Date(paidAt).toLocaleString(tag, { dateStyle: 'medium', timeStyle: 'short' })],
    ...amountsOf(job, askedOf(job)).others.map(
      ([name, minor]) => [say(name), money(minor, currency)] as const,
    ),
    [say('paid'), moneyOf(job.amountPaid, currency)],
    [say('back'), back === 0 ? '' : money(back, currency)],
    [say('payment_method'), words.card === '' ? method : ''],
    [say('card'), [words.card, words.read].filter(Boolean).join(', ')],
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
