import { MINUTE } from '../contract/timestamp.ts'
import { moveSandboxPayment } from '../psp/sandbox/adapter.ts'
import { SANDBOX_ACCOUNT } from '../registry/profile.ts'
import { announceAgain, askForRefund, checkRefund, lookAt } from './ask-account.ts'
import type { OwnJob, asking } from './asking.ts'
import type { Duty } from './core/duties.ts'
import type { Refund, State } from './core/state.ts'
import { sendReport, sendRow } from './messages.ts'

/** How long (ms) a report may be with the queue and the receiver before it counts as lost. */
const REPORT_LEASE = MINUTE / 2

/** Does the duties of a job: each ends with what is told to its journal. */
export function performer(
  env: Env,
  { now, tell }: OwnJob,
  {
    asks,
    nextTime,
    purge,
  }: {
    asks: ReturnType<typeof asking>
    /** When (ms) the job's next duty is due that a test's clock can move to. */
    nextTime: () => number
    purge: (state: State) => Promise<void>
  },
) {
  /** Moves a test job's clock to the next duty, or the next change of its sandbox payment. */
  async function moveClock({ clock, payments: [own] }: State): Promise<void> {
    const change =
      own?.account === SANDBOX_ACCOUNT.id
        ? await moveSandboxPayment(env, own.reference, { offset: clock.offset, moved: clock.moved })
        : Infinity
    tell({ do: 'move-clock', next: Math.min(change, nextTime()) })
    asks.forget()
  }

  return {
    /** Asks for a refund. Where the PSP does not answer, the duty to check it goes on. */
    async askForRefund(state: State, refund: Refund): Promise<void> {
      const asked = now()
      const answer = await askForRefund(env, state, refund)
      tell({ do: 'record-refund', id: refund.id, asked, answer })
    },

    /**
     * Does one duty. Throws for a fault of the hub: then the duty stays owed. Returns until when
     * (ms) it is out of the hub's hands.
     */
    async perform(duty: Duty, state: State): Promise<number | void> {
      switch (duty.do) {
        case 'announce':
          tell({ do: 'record-attempts', attempts: await announceAgain(env, state) })
          return
        case 'ask':
        case 'stop':
          if (duty.payment) await asks.askInTime(duty.payment)
          else tell({ do: 'expire' })
          return
        case 'check-refund': {
          const asked = now()
          const answer = await checkRefund(env, state, duty.refund, asked)
          tell({ do: 'record-refund', id: duty.refund.id, asked, answer })
          return
        }
        case 'look':
          tell({ do: 'record-attempts', attempts: [await lookAt(env, state, duty.account)] })
          return
        case 'report':
          await sendReport(env, state, duty.revision)
          return now() + REPORT_LEASE
        case 'row':
          await sendRow(env, state)
          tell({ do: 'record-row', entry: duty.entry })
          return
        case 'move-clock':
          return moveClock(state)
        case 'purge':
          return purge(state)
      }
    },
  }
}
