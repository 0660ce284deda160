import { useState } from 'preact/hooks'
import { shownText } from '../../../platform/pages/shown-text.ts'
import { KeyForm } from './key-form.tsx'
import { OrderForm, type Ordered } from './order-form.tsx'
import { Payment } from './payment.tsx'
import type { Session } from './session.ts'

/** A point of sale in one tab: first its key, then an order after the other. */
export function Till() {
  const [session, setSession] = useState<Session | null>(null)
  const [ordered, setOrdered] = useState<Ordered | null>(null)
  if (!session) return <KeyForm onOpen={setSession} />
  const close = () => {
    setOrdered(null)
    setSession(null)
  }
  return (
    <>
      <p class="whose">
        <span>
          Test point of sale{' '}
          <strong>
            <bdi>{shownText(session.about.pointOfSale.name ?? '') || session.about.pointOfSale.id}</bdi>
          </strong>
        </span>
        <button type="button" class="button" onClick={close}>
          Close the till
        </button>
      </p>
      {ordered ? (
        <Payment
          key={ordered.job.paymentJob}
          session={session}
          ordered={ordered}
          onNext={() => setOrdered(null)}
        />
      ) : (
        <OrderForm session={session} onOrder={setOrdered} />
      )}
    </>
  )
}
