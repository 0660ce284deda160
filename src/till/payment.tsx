import { useEffect, useRef, useState } from 'preact/hooks'
import { renderSVG } from 'uqr'
import { HubError } from '../client/client.ts'
import { FIGURES, figuresOfSteps } from '../contract/money-figures.ts'
import type { PaymentJob } from '../contract/payment-job.ts'
import { shownText } from '../platform/pages/formats.ts'
import { Cancel, GiveBack, LetTimePass } from './actions.tsx'
import { Columns, Failure, NoConnection } from './field.tsx'
import { Reports } from './reports.tsx'
import { Receipt } from './receipt.tsx'
import type { Session } from './session.ts'
import { Standing } from './standing.tsx'
import { useJob } from './use-job.ts'
import { type Saying, figure, language, minorOf, money, say } from './speech.ts'
import {
  type Standing as Words,
  amountsOf,
  askedOf,
  clockTime,
  isPaid,
  isReserved,
  isTerminalAtFault,
  isUndecided,
  standingOf,
  wordOf,
} from './words.ts'

type Props = {
  session: Session
  id: string
  isNew: boolean
  onNext: () => void
  onAgain: (again: Again) => void
}

/** An unpaid order, to be paid another way. `avoid` is a terminal that was busy or off. */
export type Again = {
  order: { amount: string; currency: string; order_number: string; order_id: string }
  avoid?: string
}

/** Shows a payment and its actions; in test mode also the trace and the reports. */
export function Payment({ session, id, isNew, onNext, onAgain }: Props) {
  const { job, refunds, error, onRefund } = useJob(session, id)
  const [isWished, setWished] = useState(false)
  useEffect(() => {
    const isUnknown = error instanceof HubError && error.status === 404
    if (isUnknown || (job && !isUndecided(job))) session.unseen.delete(id)
  }, [job, error])
  const isTest = session.about.mode === 'test'
  if (!job)
    return (
      <section class="card">
        <NoConnection connection={session.connection} />
        <Failure error={error} />
        {error !== null && <Next onNext={onNext} />}
      </section>
    )
  const known = standingOf(job, refunds)
  const isOpen = job.status === 'PENDING' && !isReserved(job) && known.mood !== 'doubt'
  const standing = isOpen && isWished ? CANCELLING : known
  return (
    <section class="card payment" aria-labelledby="payment-title">
      <div>
        <Head job={job} way={wayName(session, job)} />
        <NoConnection connection={session.connection} />
        <Standing job={job} standing={standing} isNew={isNew} />
        {job.alsoPaidBy && isPaid(job) && <p class="wrong">{say('paidTwice')}</p>}
        <Failure error={error} />
        {isOpen ? (
          <>
            {!job.terminal && <Code link={job.payUrl} />}
            <Cancel session={session} job={job} isWished={isWished} onWish={setWished} />
          </>
        ) : (
          <>
            {mayTryAgain(job) && <TryAgain job={job} onAgain={onAgain} />}
            <Next onNext={onNext} isFirst={!mayTryAgain(job)} />
          </>
        )}
        {isPaid(job) && (
          <>
            <Receipt
              job={job}
              refunds={refunds}
              standing={wordOf(standing, job.currency)}
              method={wayName(session, job)}
            />
            <p>
              <Away to={job.payUrl.replace('/pay/', '/receipt/')}>{say('receipt')}</Away>
            </p>
            <GiveBack session={session} job={job} refunds={refunds} onRefund={onRefund} />
          </>
        )}
      </div>
      {isTest && (
        <div lang="en" dir="ltr">
          <p class="soft" lang={language} dir="auto">
            {say('forDevelopers')}
          </p>
          {job.terminal && isOpen && (
            <p>
              <Away to={job.payUrl}>The simulated terminal, from the payment's page</Away>
            </p>
          )}
          <LetTimePass session={session} job={job} />
          <Trace job={job} />
          <Reports session={session} job={id} takesReports={session.jobs.has(id)} />
        </div>
      )}
    </section>
  )
}

/** Names how a payment is paid: its terminal, or its method. */
function wayName({ about, terminals }: Session, { terminal, paymentMethod }: PaymentJob): string {
  const way = terminal
    ? terminals.find(({ id }) => id === terminal.id)
    : about.paymentMethods.find((method) => method.paymentMethod === paymentMethod)
  return way?.name ?? terminal?.id ?? paymentMethod
}

function Head({ job, way }: { job: PaymentJob; way: string }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const { main, others } = amountsOf(job, askedOf(job))
  return (
    <>
      <h2 id="payment-title" ref={title} tabindex={-1}>
        {money(main, job.currency)}
      </h2>
      <p class="soft">
        {say('order')} <bdi>{shownText(job.orderNumber)}</bdi>, {way}
        <Others amounts={others} currency={job.currency} />
      </p>
    </>
  )
}

/** Shows the amounts that differ from the one shown first. */
export function Others({ amounts, currency }: { amounts: readonly [Saying, number][]; currency: string }) {
  return amounts.map(([name, minor]) => (
    <span key={name} class="hint">
      {say(name)} <bdi>{money(minor, currency)}</bdi>
    </span>
  ))
}

/** The word for a payment that the cashier no longer wants, until it ends. */
const CANCELLING: Words = { word: 'cancelling', hint: 'mayBePaid', mood: 'open' }

/** Returns whether a payment ended without money, as far as anyone knows. */
function mayTryAgain(job: PaymentJob): boolean {
  const isEnd = job.status !== 'PENDING' && job.status !== 'SUCCESS'
  return isEnd && !isPaid(job) && job.terminal?.state !== 'unknown'
}

/** Offers the same order again: another way to pay, or another terminal if this one was busy or off. */
function TryAgain({ job, onAgain }: { job: PaymentJob } & Pick<Props, 'onAgain'>) {
  const { currency, orderNumber, orderId, terminal } = job
  const amount = figure(minorOf(askedOf(job), currency), currency)
  const again = {
    order: { amount, currency, order_number: orderNumber, order_id: orderId },
    ...(terminal && isTerminalAtFault(job) ? { avoid: terminal.id } : {}),
  }
  return (
    <p>
      <button id="again" type="button" class="button first" onClick={() => onAgain(again)}>
        {say('tryAgain')}
      </button>
    </p>
  )
}

function Next({ onNext, isFirst = true }: Pick<Props, 'onNext'> & { isFirst?: boolean }) {
  return (
    <p>
      <button id="next" type="button" class={isFirst ? 'button first' : 'button'} onClick={onNext}>
        {say('next')}
      </button>
    </p>
  )
}

function Code({ link }: { link: string }) {
  const drawn = renderSVG(link, { border: 3, whiteColor: '#fff', blackColor: '#000' })
  return (
    <>
      <img
        class="qr"
        src={`data:image/svg+xml,${encodeURIComponent(drawn)}`}
        alt={say('qr')}
        width="320"
        height="320"
      />
      <p>
        {say('scan')} <Away to={link}>{say('payHere')}</Away>
      </p>
    </>
  )
}

/** Shows the trace of a job as it grows. */
function Trace({ job }: { job: PaymentJob }) {
  return (
    <section>
      <h3 id="trace-title">Trace</h3>
      <div class="table" tabindex={0} role="region" aria-labelledby="trace-title">
        <table>
          <Columns
            names={['Time', 'Action', 'Status', ...figuresOfSteps().map((name) => FIGURES[name].word)]}
          />
          <tbody>
            {job.payments.steps.map((step) => (
              <tr key={step.creationDate}>
                <td>{clockTime(step.creationDate)}</td>
                <td>{step.action}</td>
                <td>
                  {step.status}
                  {step.stage && ` (${step.stage})`}
                </td>
                {figuresOfSteps().map((name) => (
                  <td key={name}>{step[FIGURES[name].api]}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** A link that opens another tab. */
function Away({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
