import { type TodoName, LINK, TODOS } from '../../contract/causes.ts'
import { hasRole } from '../../contract/operation.ts'
import { INSTANTS, MOVES } from '../../contract/why.ts'
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
            <Doing name={name} says={says} job={job} />{' '}
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

/** Every todo by its name; a hub of another release may know more. */
const KNOWN = new Map<string, (typeof TODOS)[TodoName]>(Object.entries(TODOS))

/** Shows what to do, with a link instead of a command. A visitor without the role reads the link's words instead. */
function Doing({ name, says, job }: { name: string; says: string; job: JobDetail }) {
  const todo = KNOWN.get(name)
  if (!todo || !('does' in todo)) return <Sentence text={says} />
  const [before = '', , words = '', after] = todo.says.replace('{account}', job.account).split(LINK)
  return (
    <>
      {before}
      <Link does={todo.does} words={words} job={job} />
      {after}
    </>
  )
}

/** The operations that todos link to. */
type Linked = Extract<(typeof TODOS)[TodoName], { does: string }>['does']

function Link({ does, words, job }: { does: Linked; words: string; job: JobDetail }) {
  const { me, changeAddress } = useVisit()
  const { account, paymentJob, pos } = job
  if (does === 'listTerminals') return <a href={`/console/accounts/${account}/terminals`}>{words}</a>
  if (does === 'showPointOfSale') return <a href={`/console/points-of-sale/${pos}`}>{words}</a>
  if (!hasRole(me, roleOf(does))) return <b>{words}</b>
  const isOfAccount = does === 'checkAccount' || does === 'replaceCredentials'
  return (
    <a href={changeAddress(does, isOfAccount ? account : paymentJob)} data-dialog>
      {words}
    </a>
  )
}
