import type { Me } from '../contract/operators.ts'
import { INSTANTS, MOVES } from '../contract/why.ts'
import type { VNode } from 'preact'
import type { Role } from '../contract/operator.ts'
import { mayDo } from './action.tsx'
import type { JobDetail } from '../contract/jobs.ts'
import { plainText } from './formats.ts'
import { Time, Code } from './parts.tsx'
import type { Visit } from './visit.ts'

/** A sentence of the API, with its times as the reader's clock shows them. */
function Sentence({ text, visit }: { text: string; visit: Visit }) {
  return (
    <bdi>
      {plainText(text)
        .split(INSTANTS)
        .map((part, place) => (place % 2 === 1 ? <Time key={place} at={part} visit={visit} /> : part))}
    </bdi>
  )
}

/** Why a payment stands as it does, whose move it is, and what to do here. */
export function Reason({ job, me, visit }: { job: JobDetail; me: Me; visit: Visit }) {
  const { move, happened, also } = job.why
  const todo = todoOf(job, me, visit)
  return (
    <section class={`card why ${move}`} aria-label="Why">
      <p class="move">{MOVES[move]}</p>
      <p class="happened">
        <Sentence text={happened} visit={visit} />
      </p>
      <p>{todo ?? <Sentence text={job.why.todo} visit={visit} />}</p>
      {also.length > 0 && (
        <ul>
          {also.map((text) => (
            <li key={text}>
              <Sentence text={text} visit={visit} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** What to do about a payment, where the API names a command of the CLI: here it is a button or a page. */

type Here = { job: JobDetail; me: Me; visit: Visit }
type Todo = (here: Here) => VNode

/** Leads to a change. Who may not make it reads which one it is, and can ask somebody who may. */
function doing(role: Role, addressOf: (job: JobDetail) => string, text: string) {
  return ({ job, me }: Here) =>
    mayDo(me, role) ? (
      <a href={addressOf(job)} data-dialog>
        {text}
      </a>
    ) : (
      <b>{text}</b>
    )
}

function paymentAt(what: string) {
  return ({ paymentJob }: JobDetail): string => `/console/payments/${paymentJob}/${what}`
}
function accountAt(what: string) {
  return ({ account }: JobDetail): string => `/console/accounts/${encodeURIComponent(account)}/${what}`
}

const Pull = doing('support', paymentAt('pull'), 'Ask the PSP')
const Resend = doing('support', paymentAt('resend'), 'Send report again')
const Refund = doing('operator', paymentAt('refund'), 'Refund')
const Check = doing('support', accountAt('check'), 'Check the account')
const Rekey = doing('operator', accountAt('credentials'), 'New credentials')

const mendReceiver: Todo = (here) => (
  <>
    The shop must mend the receiver at <Code>{here.job.attributes.reportUrl}</Code>; then:{' '}
    <Resend {...here} />.
  </>
)

const askAgain: Todo = (here) => (
  <>
    Look at the PSP's status. To ask at once: <Pull {...here} />. Nobody gives the goods away yet.
  </>
)

const letPay: Todo = (here) => (
  <>
    The customer can pay by their link
    {here.job.timers.expires !== null && (
      <>
        {' '}
        until <Time at={here.job.timers.expires} visit={here.visit} />
      </>
    )}
    . If they say that they have paid: <Pull {...here} />.
  </>
)

/** By the cause. A test compares them with the commands that the API's sentences name. */
export const TODOS: Readonly<Record<string, Todo>> = {
  'customer-not-back': letPay,
  'customer-came-back': letPay,
  'part-is-due': letPay,
  'money-reserved': (here) => (
    <>
      Have it captured: <Pull {...here} />. Where that changes nothing, capture it at the PSP.
    </>
  ),
  'psp-silent-at-announcement': ({ job }) => (
    <>
      Wait, and look at the PSP's status. Another account can take over:{' '}
      <a href={`/console/points-of-sale/${job.pos}`}>Routes of the shop</a>.
    </>
  ),
  'psp-silent-at-pulls': askAgain,
  'psp-end-unknown': askAgain,
  'psp-refuses-credentials': (here) => (
    <>
      <Check {...here} />, then: <Rekey {...here} />.
    </>
  ),
  'psp-knows-no-payment': (here) => (
    <>
      See whether {here.job.account} has the credentials of another account: <Check {...here} />.
    </>
  ),
  'expired-unannounced': (here) => (
    <>
      <Check {...here} />. The shop makes a new payment job.
    </>
  ),
  'expired-unconfirmed': (here) => (
    <>
      Look at payment <Code>{here.job.reference ?? ''}</Code> at the PSP. To ask once more: <Pull {...here} />
      .
    </>
  ),
  'receiver-answers-error': mendReceiver,
  'receiver-unreachable': mendReceiver,
  'receiver-too-slow': mendReceiver,
  'report-given-up': mendReceiver,
  'report-unwanted': mendReceiver,
  'refund-failed': (here) => (
    <>
      Mend what the PSP says, then: <Refund {...here} />; or give the money back at the PSP.
    </>
  ),
  overpaid: (here) => (
    <>
      Give the rest back: <Refund {...here} /> that amount, or do it at the PSP.
    </>
  ),
}

/** Null where the API's own words are right here too. */
function todoOf(job: JobDetail, me: Me, visit: Visit): VNode | null {
  return Object.hasOwn(TODOS, job.why.cause) ? (TODOS[job.why.cause]?.({ job, me, visit }) ?? null) : null
}
