import { useEffect, useRef } from 'preact/hooks'
import type { PaymentJob } from '../contract/payment-job.ts'
import { play } from './sound.ts'
import { say } from './speech.ts'
import { type Standing as Words, saysWhy, wordOf } from './words.ts'

type Props = {
  job: PaymentJob
  standing: Words
  /** True if the cashier waits for it, even if it ended before it was first shown. */
  isNew: boolean
}

/**
 * Shows a payment's status, large enough to see across a stall. Plays a sound when it ends, and when
 * it becomes doubtful.
 */
export function Standing({ job, standing, isNew }: Props) {
  const { status, terminal, error } = job
  const { mood } = standing
  const before = useRef(isNew ? { status: 'PENDING', mood: 'open' } : { status, mood })
  useAwake(status === 'PENDING')
  useEffect(() => {
    const was = before.current
    before.current = { status, mood }
    if (was.status !== 'PENDING' || (was.status === status && (mood !== 'doubt' || was.mood === mood))) return
    void play(status === 'SUCCESS' ? 'good' : 'bad')
    if (status === 'SUCCESS') navigator.vibrate?.([200, 100, 200])
    // After the end, Enter goes on to the next order, unless the cashier is typing.
    if (status !== 'PENDING' && !document.activeElement?.matches('input, select'))
      document.querySelector<HTMLElement>('#again, #next')?.focus()
  }, [status, mood])
  const size = terminal && mood !== 'good' ? 'big' : ''
  return (
    <div role="status" class={`standing ${mood} ${size} ${standing.back === undefined ? '' : 'part'}`}>
      <p class="word">{wordOf(standing, job.currency)}</p>
      <p>{say(standing.hint)}</p>
      {error !== null && !saysWhy(job) && (
        <p class="why" lang="en">
          {error}
        </p>
      )}
    </div>
  )
}

/** Keeps the screen on, if the browser can, while the customer may scan it. */
function useAwake(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !('wakeLock' in navigator)) return
    let lock: Promise<WakeLockSentinel | null> | null = null
    // The browser drops the lock when the tab is hidden, and may refuse it on a low battery.
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
