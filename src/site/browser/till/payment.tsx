import { useEffect, useRef } from 'preact/hooks'
import { renderSVG } from 'uqr'
import type { PaymentJob, Step } from '../../../contract/payment-job.ts'
import { shownText } from '../../../platform/pages/formats.ts'
import { Cancel, GiveBack, LetTimePass } from './actions.tsx'
import { Columns, Failure, NoConnection } from './field.tsx'
import { Reports } from './reports.tsx'
import type { Session } from './session.ts'
import { useJob } from './use-job.ts'
import { language, moneyOf, say } from './speech.ts'
import { clockTime, standingOf, wordOf } from './words.ts'

type Props = { session: Session; id: string; onNext: () => void }

/** Shows a payment and its actions; in test mode also the trace and the reports. */
export function Payment({ session, id, onNext }: Props) {
  const { job, refunds, error, onRefund } = useJob(session, id)
  const isTest = session.about.mode === 'test'
  if (!job)
    return (
      <section class="card">
        <NoConnection connection={session.connection} />
        <Failure error={error} />
        {error !== null && <Next onNext={onNext} />}
      </section>
    )
  return (
    <section class="card payment" aria-labelledby="payment-title">
      <div>
        <Head session={session} job={job} />
        <NoConnection connection={session.connection} />
        <Standing job={job} refunds={refunds} />
        <Failure error={error} />
        {job.status === 'PENDING' && stageOf(job) !== 'authorized' ? (
          <>
            <Code link={job.payUrl} />
            <Cancel session={session} job={job} />
          </>
        ) : (
          <Next onNext={onNext} />
        )}
        {job.amountPaid !== '0.00' && (
          <>
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
          <LetTimePass session={session} job={job} />
          <Trace job={job} />
          <Reports session={session} job={id} takesReports={session.jobs.has(id)} />
        </div>
      )}
    </section>
  )
}

function Head({ session: { about }, job }: { session: Session; job: PaymentJob }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  const method = about.paymentMethods.find(({ paymentMethod }) => paymentMethod === job.paymentMethod)
  return (
    <>
      <h2 id="payment-title" ref={title} tabindex={-1}>
        {moneyOf(job.payments.steps[0]?.amountDue ?? job.amountDue, job.currency)}
      </h2>
      <p class="soft">
        {say('order')} <bdi>{shownText(job.orderNumber)}</bdi>, {method?.name ?? job.paymentMethod}
      </p>
    </>
  )
}

/** Returns how far money is that is coming. Reserved money can no longer be paid, nor cancelled. */
function stageOf(job: PaymentJob): Step['stage'] {
  return job.payments.steps.at(-1)?.stage
}

/** Shows a payment's status, large enough to see across a stall. Plays a sound when money comes. */
function Standing({ job, refunds }: { job: PaymentJob; refunds: Parameters<typeof standingOf>[1] }) {
  const standing = standingOf({ ...job, stage: stageOf(job) }, refunds)
  const before = useRef(job.status)
  useAwake(job.status === 'PENDING')
  useEffect(() => {
    if (before.current === 'PENDING' && job.status === 'SUCCESS') {
      chime()
      navigator.vibrate?.([200, 100, 200])
      // Enter goes on to the next order, unless somebody is typing.
      if (!document.activeElement?.matches('input, select')) document.getElementById('next')?.focus()
    }
    before.current = job.status
  }, [job.status])
  return (
    <div role="status" class={`standing ${standing.mood} ${standing.back === undefined ? '' : 'part'}`}>
      <p class="word">{wordOf(standing, job.currency)}</p>
      <p>{say(standing.hint)}</p>
      {job.error !== null && <p lang="en">{job.error}</p>}
    </div>
  )
}

/** Keeps the screen on meanwhile, where the browser can: the customer scans it. */
function useAwake(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return
    let lock: Promise<WakeLockSentinel | null> | null = null
    // The browser lets go of it when the tab is hidden, and may refuse it on a low battery.
    const wake = (): void => {
      if (!document.hidden) lock = navigator.wakeLock.request('screen').catch(() => null)
    }
    wake()
    document.addEventListener('visibilitychange', wake)
    return () => {
      document.removeEventListener('visibilitychange', wake)
      void lock?.then((held) => held?.release())
    }
  }, [isWanted])
}

/** The two notes (Hz) of the sound for "paid", and how long (s) each lasts. */
const NOTES = [880, 1318.5]
const LENGTH = 0.18

/** Plays a sound, where the browser allows it: word and colour say the same. */
function chime(): void {
  const audio = new AudioContext()
  const end = audio.currentTime + LENGTH * (NOTES.length + 1)
  const volume = audio.createGain()
  volume.connect(audio.destination)
  volume.gain.setValueAtTime(0.4, audio.currentTime)
  volume.gain.exponentialRampToValueAtTime(0.001, end)
  NOTES.forEach((note, place) => {
    const tone = audio.createOscillator()
    tone.frequency.value = note
    tone.connect(volume)
    tone.start(audio.currentTime + place * LENGTH)
    tone.stop(end)
  })
  setTimeout(() => void audio.close(), 2000)
}

function Next({ onNext }: Pick<Props, 'onNext'>) {
  return (
    <p>
      <button id="next" type="button" class="button first" onClick={onNext}>
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

/** Shows the trace of a job, which grows meanwhile. */
function Trace({ job }: { job: PaymentJob }) {
  return (
    <section>
      <h3 id="trace-title">Trace</h3>
      <div class="table" tabindex={0} role="region" aria-labelledby="trace-title">
        <table>
          <Columns names={['Time', 'Action', 'Status', 'Due', 'Paid', 'Released', 'Back']} />
          <tbody>
            {job.payments.steps.map((step) => (
              <tr key={step.creationDate}>
                <td>{clockTime(step.creationDate)}</td>
                <td>{step.action}</td>
                <td>
                  {step.status}
                  {step.stage && ` (${step.stage})`}
                </td>
                <td>{step.amountDue}</td>
                <td>{step.amountPaid}</td>
                <td>{step.amountReleased}</td>
                <td>{[step.amountRefunded, step.amountChargedBack].filter(Boolean).join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** A link that opens beside the till. */
function Away({ to, children }: { to: string; children: string }) {
  return (
    <a href={to} target="_blank" rel="noreferrer">
      {children}
    </a>
  )
}
