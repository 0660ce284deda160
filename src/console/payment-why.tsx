import type { Role } from '../contract/operation.ts'
import type { Me } from '../contract/operators.ts'
import { INSTANTS, MOVES } from '../contract/why.ts'
import type { VNode } from 'preact'
import { mayDo } from './action.tsx'
import type { JobDetail } from '../contract/jobs.ts'
import { plainText } from './formats.ts'
import { Time, Code } from './parts.tsx'
import type { Visit } from './visit.ts'

/** Shows a sentence of the API, with its times in the reader's zone. */
function Sentence({ text, visit }: { text: string; visit: Visit }) {
  return (
    <bdi>
      {plainText(text)
        .split(INSTANTS)
        .map((part, place) => (place % 2 === 1 ? <Time key={place} at={part} visit={visit} /> : part))}
    </bdi>
  )
}

/** Explains a payment's status, says whose move it is, and offers what to do. */
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

type Here = { job: JobDetail; me: Me; visit: Visit }
type Todo = (here: Here) => VNode

/** Links to a change. An operator who may not make it reads its name, and can ask a colleague. */
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

/** Advice by cause, with links in place of the CLI commands that the API's sentences name. */
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

/** Returns null if the API's own sentence fits the console too. */
function todoOf(job: JobDetail, me: Me, visit: Visit): VNode | null {
  return Object.hasOwn(TODOS, job.why.cause) ? (TODOS[job.why.cause]?.({ job, me, visit }) ?? null) : null
}
