import type { ComponentChildren, InputHTMLAttributes, VNode } from 'preact'
import type { Answer, ApiProblem } from './api.ts'
import { amountText, durationText, plainText } from './formats.ts'
import { type TimeForm, timeText } from '../platform/pages/time-text.ts'
import type { View, Visit } from './visit.ts'

type Tone = 'good' | 'bad' | 'busy' | 'still' | 'note'

const STATUSES: Readonly<Record<string, readonly [label: string, tone: Tone]>> = {
  SUCCESS: ['Success', 'good'],
  PENDING: ['Pending', 'busy'],
  FAILURE: ['Failure', 'bad'],
  CANCELLED: ['Cancelled', 'still'],
  EXPIRED: ['Expired', 'still'],
}

export function Pill({ tone, children }: { tone: Tone; children: ComponentChildren }) {
  return <span class={`pill ${tone}`}>{children}</span>
}

export function StatusPill({ status }: { status: string }) {
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
  due: ['Waiting', 'busy'],
  delivered: ['Delivered', 'good'],
  'given-up': ['Given up', 'bad'],
}

export function StatePill({ state }: { state: string }) {
  const [label, tone] = STATES[state] ?? ['Unknown', 'still']
  return <Pill tone={tone}>{label}</Pill>
}

/** Marks test mode, where no money moves. Live things have no mark. */
export function TestMark() {
  return <span class="mark">Test</span>
}

export function Amount({ amount, currency }: { amount: string; currency: string }) {
  return <span class="amount">{amountText(amount, currency)}</span>
}

/** Writes a time in the visit's zone; the script corrects it for the browser's zone. */
export function Time({
  at,
  form = 'short',
  visit: { zone, now },
}: {
  at: string
  form?: TimeForm
  visit: Visit
}) {
  return (
    <time dateTime={at} title={at} data-at={at} data-form={form}>
      {timeText(at, form, zone, now)}
    </time>
  )
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

/** A page in the place of one that the API does not give. */
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

/** Shows the API's answer, or the problem in its place. */
export function Answered<T>({
  answer,
  name,
  children,
}: {
  answer: Answer<T>
  name?: string
  children: (value: T) => ComponentChildren
}) {
  return answer.ok ? <>{children(answer.value)}</> : <NotShown problem={answer.problem} name={name} />
}

/** The heading of a page, with what can be done there beside it. */
export function Head({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="head">
      <h1>{title}</h1>
      {children}
    </div>
  )
}

/** Leads to the next page of a list, and back to its first. The address keeps its other members. */
export function Pages({ url, next, more = 'Older' }: { url: URL; next: string | null; more?: string }) {
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
  /**
   * Classes of its cells. On a phone CSS hides `wide` cells, and shows what is `narrow` in others.
   */
  class?: string
  /** True for the column whose cells name their rows. */
  isName?: boolean
  cell: (row: Row) => ComponentChildren
}

/**
 * Shows rows as a table, or `empty` where there are none. It scrolls sideways on a narrow screen,
 * by keyboard too. `row` is the class of each row.
 */
export function Table<Row>({
  label,
  columns,
  rows,
  row,
  empty = null,
}: {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  row?: 'link'
  empty?: VNode | null
}) {
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

export function Fact({ name, children }: { name: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

/** Shows a form field with its label above and its hint below. */
export function Field({
  label,
  hint,
  children,
}: {
  label: string
  hint?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint && <small>{hint}</small>}
    </label>
  )
}

/** A field for one line of text, which browsers neither complete nor correct. */
export function TextField({ label, hint, ...input }: { label: string; hint?: string } & InputHTMLAttributes) {
  return (
    <Field label={label} hint={hint}>
      <input autocomplete="off" spellcheck={false} {...input} />
    </Field>
  )
}

/** Asks for the name of a shop or a token. */
export function NameField({ label = 'Name', hint, value }: { label?: string; hint: string; value: string }) {
  return <TextField label={label} hint={hint} name="name" required maxLength={100} autofocus value={value} />
}

/** Adds an unknown value, which an address may carry, as an option, so that the form keeps it. */
export function Choice({
  name,
  value,
  options,
}: {
  name: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
}) {
  return (
    <select name={name}>
      {[...options, ...(options.some(([option]) => option === value) ? [] : [[value, value] as const])].map(
        ([option, label]) => (
          <option key={option} value={option} selected={option === value}>
            {label}
          </option>
        ),
      )}
    </select>
  )
}
