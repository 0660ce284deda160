import type { ComponentChildren } from 'preact'
import type { Answer, ApiProblem } from './api.ts'
import { amountText, durationText, plainText } from './formats.ts'
import { type TimeForm, timeText } from './time-text.ts'
import type { Visit } from './visit.ts'

/** Parts that several pages are made of. */

type Tone = 'good' | 'bad' | 'busy' | 'still' | 'note'

const STATUSES: Readonly<Record<string, readonly [label: string, tone: Tone]>> = {
  SUCCESS: ['Success', 'good'],
  PENDING: ['Pending', 'busy'],
  FAILURE: ['Failure', 'bad'],
  CANCELLED: ['Cancelled', 'still'],
  EXPIRED: ['Expired', 'still'],
}

export const Pill = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`pill ${tone}`}>{children}</span>
)

export const StatusPill = ({ status }: { status: string }) => {
  const [label, tone] = STATUSES[status] ?? [status, 'still']
  return <Pill tone={tone}>{label}</Pill>
}

const STATES: Readonly<Record<string, readonly [label: string, tone: Tone]>> = {
  working: ['Working', 'good'],
  well: ['Well', 'good'],
  silent: ['Not answering', 'bad'],
  slow: ['Slow', 'busy'],
  impaired: ['Impaired', 'busy'],
  failing: ['Failing', 'bad'],
  refused: ['Key refused', 'bad'],
  unavailable: ['Unavailable', 'bad'],
  waiting: ['Waiting', 'busy'],
  delivered: ['Delivered', 'good'],
  dead: ['Given up', 'bad'],
}

export const StatePill = ({ state }: { state: string }) => {
  const [label, tone] = STATES[state] ?? ['Unknown', 'still']
  return <Pill tone={tone}>{label}</Pill>
}

/** Says that no money moves. What is live has no mark: it is the rule. */
export const TestMark = () => <span class="mark">Test</span>

export const Amount = ({ amount, currency }: { amount: string; currency: string }) => (
  <span class="amount">{amountText(amount, currency)}</span>
)

/** A time for people; the script writes it again where the browser is in another zone. */
export const Time = ({
  at,
  form = 'short',
  visit: { zone, now },
}: {
  at: string
  form?: TimeForm
  visit: Visit
}) => (
  <time dateTime={at} title={at} data-at={at} data-form={form}>
    {timeText(at, form, zone, now)}
  </time>
)

/** How long ago something was, or how soon it will be. */
export const away = (at: string, now: number): string => {
  const seconds = (Date.parse(at) - now) / 1000
  if (Math.abs(seconds) < 1) return 'now'
  return seconds > 0 ? `in ${durationText(seconds)}` : `${durationText(-seconds)} ago`
}

/** A text that a shop, a customer or a PSP wrote: it is shown as text, and cannot turn what stands around it. */
export const Theirs = ({ children }: { children: string }) => <bdi>{plainText(children)}</bdi>

export const Code = ({ children }: { children: string }) => <code>{plainText(children)}</code>

/** A list that has nothing in it. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <div class="empty">
    <p class="title">{title}</p>
    {children && <p>{children}</p>}
  </div>
)

/** Says why a part of a page is not there, `name` being what the part tells. The rest of the page is. */
export const NotShown = ({ problem, name }: { problem: ApiProblem; name?: string | undefined }) => (
  <p class="notice busy">
    {name !== undefined && <b>{name}: </b>}
    {reasonOf(problem)}
  </p>
)

const reasonOf = ({ status, detail }: ApiProblem): string => {
  if (status === 403) return `Your role does not allow you to see this. ${detail}`
  return `This could not be read. ${detail}`
}

/** What the API answered, or why it did not. */
export const Answered = <T,>({
  answer,
  name,
  children,
}: {
  answer: Answer<T>
  name?: string
  children: (value: T) => ComponentChildren
}) => (answer.ok ? <>{children(answer.value)}</> : <NotShown problem={answer.problem} name={name} />)

/** A table that can be wider than a phone: it scrolls by itself, by keyboard too. */
export const Table = ({
  label,
  head,
  children,
}: {
  label: string
  head: ComponentChildren
  children: ComponentChildren
}) => (
  <div class="table" role="region" aria-label={label} tabIndex={0}>
    <table>
      <thead>
        <tr>{head}</tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)

/** Names and values. */
export const Fact = ({ name, children }: { name: string; children: ComponentChildren }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
