import { hasRole } from '../../contract/operation.ts'
import { INSTANTS, MOVES } from '../../contract/why.ts'
import type { Name } from '../../contract/operator-operations.ts'
import { roleOf } from '../plumbing/question.tsx'
import type { JobDetail } from '../../contract/job-detail.ts'
import { plainText } from '../parts/formats.ts'
import { Time } from '../parts/parts.tsx'
import { useVisit } from '../plumbing/visit.ts'
import { Fragment } from 'preact'

/** Shows a sentence of the API, with its times in the reader's zone. */
export function Sentence({ text }: { text: string }) {
  return (
    <bdi>
      {plainText(text)
        .split(INSTANTS)
        .map((part, place) => (place % 2 === 1 ? <Time key={place} at={part} /> : part))}
    </bdi>
  )
}

/** Explains a payment's status, says whose move it is, and offers what to do. */
export function Reason({ job }: { job: JobDetail }) {
  const { move, happened, todos, also } = job.why
  return (
    <section class={`card why ${move}`} aria-label="Why">
      <p class="move">{MOVES[move]}</p>
      <p class="happened">
        <Sentence text={happened} />
      </p>
      <p>
        {todos.map(({ do: name, says }) => (
          <Fragment key={name}>
            {DOING[name] ? <Doing words={DOING[name]} job={job} /> : <Sentence text={says} />}{' '}
          </Fragment>
        ))}
      </p>
      {also.length > 0 && (
        <ul>
          {also.map((text) => (
            <li key={text}>
              <Sentence text={text} />
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** A link to a change of the payment or of its account, for visitors with its role, or to a page of the console. */
type TodoLink = { text: string } & ({ does: Name; of?: 'account' } | { at: (job: JobDetail) => string })

const LINKS: Readonly<Record<string, TodoLink>> = {
  pull: { text: 'Ask the PSP', does: 'pullJob' },
  announce: { text: 'Announce now', does: 'announceJob' },
  resend: { text: 'Send the report', does: 'resendReport' },
  capture: { text: 'Capture', does: 'captureJob' },
  release: { text: 'Release', does: 'releaseJob' },
  refund: { text: 'Refund', does: 'refundJob' },
  clear: { text: 'Clear the money', does: 'clearMoney' },
  check: { text: 'Check the account', does: 'checkAccount', of: 'account' },
  rekey: { text: 'New credentials', does: 'replaceCredentials', of: 'account' },
  terminals: { text: 'Terminals', at: ({ account }) => `/console/accounts/${account}/terminals` },
  routes: { text: 'Routes of the shop', at: ({ pos }) => `/console/points-of-sale/${pos}` },
}

/** Sentences instead of the API's: they have links where those name CLI commands. */
export const DOING: Readonly<Record<string, string>> = {
  'ask-psp': 'To ask at once: {pull}.',
  announce: 'To try again at once anyway: {announce}.',
  capture: 'The shop captures what it delivers, or you do: {capture}.',
  release: 'To release the rest: {release}.',
  refund: 'Give the money back: {refund}, or do it at the PSP.',
  'refund-again': 'Refund only that: {refund}, or do it at the PSP.',
  'refund-rest': 'Refund only what was paid too much: {refund}.',
  'look-at-others':
    'Ask the shop whether its customer paid twice. If so, refund one of the payments: {refund}.',
  clear: 'If that is settled in another way: {clear}.',
  'check-account': 'See whether the account has the right credentials: {check}.',
  'renew-credentials': 'Then: {rekey}.',
  'check-terminal': 'See whether it is on: {terminals}.',
  'route-elsewhere': 'Another account can take over: {routes}.',
  'send-report-again': 'Then: {resend}.',
}

/** Shows a sentence with its links. A visitor without the role reads the change's name instead. */
function Doing({ words, job }: { words: string; job: JobDetail }) {
  const { me, changeAddress } = useVisit()
  return (
    <>
      {words.split(/\{(\w+)\}/).map((part, place) => {
        const way = place % 2 === 1 ? LINKS[part] : undefined
        if (!way) return part
        const { text } = way
        if ('at' in way) return <a href={way.at(job)}>{text}</a>
        if (!hasRole(me, roleOf(way.does))) return <b key={part}>{text}</b>
        return (
          <a href={changeAddress(way.does, way.of ? job.account : job.paymentJob)} data-dialog>
            {text}
          </a>
        )
      })}
    </>
  )
}
