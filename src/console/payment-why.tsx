import type { Me } from '../contract/operators.ts'
import { INSTANTS, MOVES } from '../contract/why.ts'
import type { Payment } from './api.ts'
import { plainText } from './formats.ts'
import { Time } from './parts.tsx'
import { todoOf } from './payment-todo.tsx'
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
export function Reason({ job, me, visit }: { job: Payment; me: Me; visit: Visit }) {
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
