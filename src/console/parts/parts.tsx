import type { ComponentChildren, VNode } from 'preact'
import { type JobMoney, moneyWords, sumText } from '../../contract/job-money.ts'
import type { Status } from '../../contract/values.ts'
import type { ApiAnswer, ApiProblem } from '../plumbing/api.ts'
import { amountText, durationText, plainText, titled } from './formats.ts'
import { type TimeForm, timeText } from '../../platform/pages/time-text.ts'
import { DAY } from '../../contract/timestamp.ts'
import { type View, useVisit } from '../plumbing/visit.ts'

type Tone = 'good' | 'bad' | 'busy' | 'still' | 'note'

const STATUS_TONES: Readonly<Record<Status, Tone>> = {
  SUCCESS: 'good',
  PENDING: 'busy',
  FAILURE: 'bad',
  CANCELLED: 'still',
  EXPIRED: 'still',
}

export function Pill({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`pill ${tone}`}>{children}</span>
}

export function StatusPill({ status }: { status: Status }) {
  return <Pill tone={STATUS_TONES[status]}>{titled(status)}</Pill>
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
  on: ['On', 'good'],
  off: ['Off', 'bad'],
  due: ['Waiting', 'busy'],
  asked: ['Asked', 'busy'],
  pending: ['On its way', 'busy'],
  done: ['Done', 'good'],
  failed: ['Failed', 'bad'],
  returned: ['Came back', 'still'],
  delivered: ['Delivered', 'good'],
  'given-up': ['Given up', 'bad'],
  replaced: ['Replaced', 'still'],
  ended: ['Ended', 'bad'],
  'ends-soon': ['Ends soon', 'busy'],
  old: ['Over a year old', 'busy'],
}

export function StatePill({ state }: { state: string }) {
  const [label, tone] = STATES[state] ?? ['Unknown', 'still']
  return <Pill tone={tone}>{label}</Pill>
}

/** The sum of a payment: what was taken, or what is to be paid. */
export function Sum({ money, currency }: { money: JobMoney; currency: string }) {
  return <span class="amount">{sumText(money, (amount) => amountText(amount, currency))}</span>
}

/** Shows a payment's status and what became of its money. A success that was charged back is not shown as one. */
export function MoneyPills({ money, currency }: { money: JobMoney; currency: string }) {
  const words = moneyWords(money, (amount) => amountText(amount, currency))
  const isLost = money.status === 'SUCCESS' && Number(money.chargedBack) > 0
  return (
    <>
      {!isLost && <StatusPill status={money.status} />}{' '}
      {words.map(({ name, mood, text }) => (
        <Pill key={name} tone={mood}>
          {text.charAt(0).toUpperCase() + text.slice(1)}
        </Pill>
      ))}
    </>
  )
}

/** Says until when money is reserved; red on the last day. */
export function ReservedPill({ until }: { until: string }) {
  return (
    <Pill tone={Date.parse(until) < useVisit().now + DAY ? 'bad' : 'busy'}>
      Reserved until <Time at={until} />
    </Pill>
  )
}

/** Marks test mode, where no money moves. Live things have no mark. */
export function TestMark() {
  return <span class="mark">Test</span>
}

export function Amount({ amount, currency }: { amount: string; currency: string }) {
  return <span class="amount">{amountText(amount, currency)}</span>
}

/** Writes a time in the visit's zone; the script corrects it for the browser's zone. */
export function Time({ at, form = 'short' }: { at: string; form?: TimeForm }) {
  const { zone, now } = useVisit()
  return (
    <time dateTime={at} title={at} data-at={at} data-form={form}>
      {timeText(at, form, zone, now)}
    </time>
  )
}

/** Says when something ends. */
export function End({ at }: { at: string | null }) {
  return at === null ? <>Never</> : <Time at={at} />
}

/** Returns "in 3 min 20 s", "3 min 20 s ago", or "now". */
export function away(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000
  if (Math.abs(seconds) < 1) return 'now'
  return seconds > 0 ? `in ${durationText(seconds)}` : `${durationText(-seconds)} ago`
}

/** Isolates a text from outside the hub, so that it cannot reverse the text around it. */
export function Theirs({ children }: { children: string }) {
  return <bdi>{plainText(children)}</bdi>
}

/** Links to a page by a text from outside the hub. `isRow`: the keys `j` and `k` go to it. */
export function To({ href, text, isRow }: { href: string; text: string; isRow?: true }) {
  return (
    <a href={href} data-row={isRow}>
      <Theirs>{text}</Theirs>
    </a>
  )
}

export function Code({ children }: { children: string }) {
  return <code>{plainText(children)}</code>
}

export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="title">{title}</p>
      {children && <p>{children}</p>}
    </div>
  )
}

/** Stands in for the part `name` of a page, and says why the page lacks it. */
export function NotShown({ problem, name }: { problem: ApiProblem; name?: string | undefined }) {
  return (
    <p class="notice busy">
      {name !== undefined && <b>{name}: </b>}
      {reasonOf(problem)}
    </p>
  )
}

function reasonOf({ status, detail }: ApiProblem): string {
  if (status === 403) return `Your role does not allow you to see this. ${detail}`
  return `This could not be read. ${detail}`
}

/** Makes the page that stands in for one that the API refuses. */
export function problemView(title: string, problem: ApiProblem): View {
  return {
    title,
    status: problem.status,
    body: (
      <>
        <h1>{title}</h1>
        <NotShown problem={problem} />
      </>
    ),
  }
}

type AnswerViewProps<T> = { answer: ApiAnswer<T>; name?: string; children: (value: T) => ComponentChildren }

/** Shows the API's answer, or why there is none. */
export function AnswerView<T>({ answer, name, children }: AnswerViewProps<T>) {
  return answer.ok ? <>{children(answer.value)}</> : <NotShown problem={answer.problem} name={name} />
}

type Heading = { title: string; modes?: 'one' | 'both'; mode?: string; inMode?: (mode: string) => string }

/**
 * Shows a page's heading and its actions. A page about one mode links to the other by `inMode`, and
 * to both if it can show both.
 */
export function Head(heading: Heading & { children?: ComponentChildren }) {
  const { title, modes = 'one', mode = '', inMode, children } = heading
  return (
    <div class="head">
      <h1>{title}</h1>
      {children}
      {inMode && <Choices label="Mode" options={MODES[modes]} shown={mode} href={inMode} />}
    </div>
  )
}

const LIVE_OR_TEST = [['live', 'Live'] as const, ['test', 'Test'] as const]
const MODES = { one: LIVE_OR_TEST, both: [...LIVE_OR_TEST, ['all', 'Both'] as const] }

type ChoicesProps<Name extends string> = {
  label: string
  options: readonly (readonly [name: Name, text: string])[]
  shown: string
  href: (name: Name) => string
}

/** Links to the views of a page, and marks the one that is shown. */
export function Choices<Name extends string>({ label, options, shown, href }: ChoicesProps<Name>) {
  return (
    <nav class="choices" aria-label={label}>
      {options.map(([name, text]) => (
        <a key={name} href={href(name)} {...(name === shown ? { 'aria-current': 'true' as const } : {})}>
          {text}
        </a>
      ))}
    </nav>
  )
}

/** Links to the next page of a list, and to its first. Keeps the address's other parameters. */
export function Pages({ next, more = 'Older' }: { next: string | null; more?: string }) {
  const { url } = useVisit()
  const to = (after: string | null): string => {
    const params = new URLSearchParams(url.searchParams)
    params.delete('after')
    if (after !== null) params.set('after', after)
    return `${url.pathname}?${params.toString()}`
  }
  if (next === null && !url.searchParams.has('after')) return null
  return (
    <p class="pages">
      {url.searchParams.has('after') && (
        <a class="button small" href={to(null)}>
          Back to the first
        </a>
      )}
      {next !== null && (
        <a class="button small" rel="next" href={to(next)}>
          {more}
        </a>
      )}
    </p>
  )
}

export type Column<Row> = {
  name: string
  /** Classes of its cells. On a phone, CSS hides `wide` cells and shows `narrow` parts. */
  class?: string
  /** True for the column whose cells name their rows. */
  isName?: boolean
  cell: (row: Row) => ComponentChildren
}

type TableProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  row?: 'link'
  empty?: VNode | null
}

/**
 * Shows rows as a table, or `empty` if there are none. It scrolls sideways on a narrow screen,
 * by keyboard too. `row` is the class of each row.
 */
export function Table<Row>({ label, columns, rows, row, empty = null }: TableProps<Row>) {
  if (rows.length === 0) return empty
  return (
    <div class="table" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.name} scope="col" class={column.class}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((one, place) => (
            <tr key={place} class={row}>
              {columns.map(({ name, class: kind, isName, cell }) => {
                const Cell = isName ? 'th' : 'td'
                return (
                  <Cell key={name} class={kind} {...(isName ? { scope: 'row' as const } : {})}>
                    {cell(one)}
                  </Cell>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

type FactsProps = {
  rows: readonly (readonly [name: ComponentChildren, value: ComponentChildren] | false)[]
  kind?: 'facts' | 'totals'
}

/** Lists names and their values. Leaves out rows that are false. */
export function Facts({ rows, kind = 'facts' }: FactsProps) {
  return (
    <dl class={kind}>
      {rows.map(
        (row, place) =>
          row && (
            <div key={place}>
              <dt>{row[0]}</dt>
              <dd>{row[1]}</dd>
            </div>
          ),
      )}
    </dl>
  )
}
