import type { Role } from '../contract/operation.ts'
import type { Me } from '../contract/operators.ts'
import { INSTANTS, MOVES } from '../contract/why.ts'
import { mayDo } from './action.tsx'
import type { JobDetail } from '../contract/jobs.ts'
import { plainText } from './formats.ts'
import { Time, Code } from './parts.tsx'
import type { Visit } from './visit.ts'
import { Fragment, type VNode } from 'preact'

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
  const { move, happened, todos, also } = job.why
  return (
    <section class={`card why ${move}`} aria-label="Why">
      <p class="move">{MOVES[move]}</p>
      <p class="happened">
        <Sentence text={happened} visit={visit} />
      </p>
      <p>
        {todos.map(({ do: name, says }) => (
          <Fragment key={name}>
            {DOING[name]?.({ job, me, visit }) ?? <Sentence text={says} visit={visit} />}{' '}
          </Fragment>
        ))}
      </p>
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

/** What to do, with links in place of the CLI commands that the API's sentences name. */
export const DOING: Readonly<Partial<Record<string, Todo>>> = {
  'let-pay': ({ job, visit }) => (
    <>
      The customer can pay by their link
      {job.timers.expires !== null && (
        <>
          {' '}
          until <Time at={job.timers.expires} visit={visit} />
        </>
      )}
      .
    </>
  ),
  'ask-psp': (here) => (
    <>
      To ask at once: <Pull {...here} />.
    </>
  ),
  capture: (here) => (
    <>
      Have it captured: <Pull {...here} />. Where that changes nothing, capture it at the PSP.
    </>
  ),
  refund: (here) => (
    <>
      Give the money back: <Refund {...here} />, or do it at the PSP.
    </>
  ),
  'refund-rest': (here) => (
    <>
      Give back what was paid too much, and no more: <Refund {...here} />.
    </>
  ),
  'check-account': (here) => (
    <>
      See whether the account has the right credentials: <Check {...here} />.
    </>
  ),
  'renew-credentials': (here) => (
    <>
      Then: <Rekey {...here} />.
    </>
  ),
  'route-elsewhere': ({ job }) => (
    <>
      Another account can take over: <a href={`/console/points-of-sale/${job.pos}`}>Routes of the shop</a>.
    </>
  ),
  'mend-receiver': ({ job }) => (
    <>
      The shop must mend the receiver at <Code>{job.attributes.reportUrl}</Code>.
    </>
  ),
  'send-report-again': (here) => (
    <>
      Then: <Resend {...here} />.
    </>
  ),
}
