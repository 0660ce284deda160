import type { JobReport } from '../contract/failing-reports.ts'
import type { JobDetail, JobJournal } from '../contract/job-detail.ts'
import type { Step } from '../contract/payment-job.ts'
import { cardText } from '../contract/terminals.ts'
import { type Why, MOVES } from '../contract/why.ts'
import { pause } from '../client/pause.ts'
import { flag } from '../programs/program.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { JOB, jobIdOf } from './named.ts'
import { ask } from './operator-api.ts'
import { type Lines, type View, printable, printableJson, textOf, viewOf } from '../programs/view.ts'

function detailOf(step: Step): string {
  const { action, stage, amountPaid, amountReleased, amountRefunded, amountChargedBack } = step
  const isOfReserved = action === 'Capture' || action === 'Release'
  return [
    stage,
    action === 'Capture' && `${amountPaid} captured`,
    isOfReserved && amountReleased && `${amountReleased} released`,
    amountRefunded && `${amountRefunded} refunded`,
    amountChargedBack && `${amountChargedBack} charged back`,
  ]
    .filter(Boolean)
    .join(', ')
}

function outcomeOf({ outcome, milliseconds, answer }: JobReport['attempts'][number]): string {
  return `${outcome}${milliseconds === undefined ? '' : ` after ${milliseconds} ms`}${answer ? `: ${answer}` : ''}`
}

/** Identifies a payment, in the question before a change. */
export function headOf(known: JobDetail): string {
  const job = printable(known)
  const { orderNumber, posName, status, currency, amountPaid, amountDue, paymentJob } = job
  return (
    `Order ${orderNumber} of ${posName} is ${status}: ${currency} ${amountPaid} paid, ${amountDue} due ` +
    `(${[paymentJob, ...moneyOf(job, String)].join('; ')})`
  )
}

/** Shows a payment job: why it stands as it does, then everything else. */
export function showJob(job: JobDetail, view: View): Lines {
  const { time } = view
  return [
    `${job.paymentJob}: order ${job.orderNumber} is ${job.status}, ${job.currency} ` +
      `${job.amountPaid} paid, ${job.amountDue} due`,
    '',
    showWhy(job.why, view),
    '',
    `of ${job.posName} (${job.pos}), created ${time(job.created)}, paid by ${job.paymentMethod}`,
    `at ${job.account}${job.reference ? `, its reference ${job.reference}` : ', not announced'}`,
    job.terminal && `at terminal ${job.terminal.id}: ${job.terminal.state}`,
    job.card && `card: ${cardText(job.card)}`,
    job.passedOver.length > 0 && `passed over: ${job.passedOver.join(', ')}`,
    `reports go to ${job.attributes.reportUrl}`,
    job.error && `error: ${job.error}`,
    moneyOf(job, time),
    TIMERS.map(([name, does]) => job.timers[name] !== null && `${does} at ${time(job.timers[name])}`),
    '',
    view.list('', job.payments.steps, [['time', 'creationDate'], 'action', 'status', ['', detailOf]]),
    '',
    job.reports.length === 0
      ? 'Nothing to report yet.'
      : view.table(
          ['report', 'state', 'tried', 'outcome'],
          job.reports.flatMap(({ revision, state, due, attempts }) => [
            [String(revision), state.replace('-', ' '), '', due ? `next try ${time(due)}` : ''],
            ...attempts.map((attempt) => ['', '', time(attempt.at), outcomeOf(attempt)]),
          ]),
        ),
  ]
}

function moneyOf(job: JobDetail, time: View['time']): string[] {
  const { currency, amountAuthorized, amountReleased, captureBefore } = job
  return [
    job.stage === 'underway' && 'its money is under way',
    job.stage === 'authorized' && !amountAuthorized && 'its money is reserved, and the hub captures it',
    amountAuthorized && `${currency} ${amountAuthorized} reserved`,
    captureBefore && `${currency} ${job.capturable} can be captured until ${time(captureBefore)}`,
    amountReleased && `${currency} ${amountReleased} released`,
    job.amountTip && `${currency} ${job.amountTip} of what was paid is a tip`,
    job.late && 'its money came after it had ended',
    job.amountRefunded && `${job.currency} ${job.amountRefunded} refunded`,
    job.amountChargedBack && `${job.currency} ${job.amountChargedBack} charged back`,
    ...job.otherPayments.map(
      ({ account, reference, amountPaid }) =>
        `${account} may hold another payment${reference ? `, ${reference}` : ''}: ${amountPaid} paid there`,
    ),
    ...job.captures.map((one) => standingOf(`capture ${one.capture}`, one)),
    ...job.refunds.map((one) => standingOf(`refund ${one.refund}`, one)),
  ].filter((line) => typeof line === 'string')
}

type Instructed = Pick<JobDetail['refunds'][number], 'amount' | 'status' | 'error'>

function standingOf(name: string, { amount, status, error }: Instructed): string {
  return `${name} of ${amount} is ${status}${error ? `: ${error}` : ''}`
}

const TIMERS: readonly (readonly [keyof JobDetail['timers'], string])[] = [
  ['expires', 'ends'],
  ['nextAnnouncement', 'asks the PSP for a payment again'],
  ['nextPull', 'asks the PSP how it stands'],
  ['nextReport', 'reports to the shop'],
  ['purge', 'is deleted'],
]

export async function detailOfJob(named: string): Promise<JobDetail> {
  return ask('showJob', { params: { id: await jobIdOf(named) } })
}

export const show = operationCommand('showJob', {
  does: 'show a payment job, why it stands as it does, its trace, and each try to report it',
  example: 'A-1001 --at 14:02',
  args: { id: JOB },
  flags: ['at'],
  show: showJob,
})

export const journal = hubCommand({
  does: 'print every fact that the hub knows about a payment, in the order in which it learned them',
  args: { id: JOB, json: flag('print an entry a line, as JSON (NDJSON)') },
  run: async ({ id, json }, utc) => {
    const answer = await ask('showJournal', { params: { id: await jobIdOf(id) } })
    if (json) for (const entry of answer.entries) console.log(printableJson(entry))
    else console.log(textOf(showJournal(printable(answer), viewOf(process.stdout, utc))))
  },
})

const TIMES = new Set(['asked', 'began', 'came', 'notBefore'])

function partOf(name: string, value: unknown, time: View['time']): string {
  if (typeof value === 'number' && TIMES.has(name)) return time(new Date(value).toISOString())
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function showJournal({ entries }: JobJournal, { table, time }: View): Lines {
  const rows = entries.flatMap(({ number, at, facts }) =>
    facts.map(({ is, ...told }, place) => [
      ...(place === 0 ? [String(number), time(at)] : ['', '']),
      is,
      Object.entries(told)
        .map(([name, value]) => `${name} ${partOf(name, value, time)}`)
        .join(', '),
    ]),
  )
  return [table(['entry', 'time', 'fact', ''], rows), '', `hash of all: ${entries.at(-1)?.hash}`]
}

export const why = operationCommand('showJob', {
  does: 'say why a payment stands as it does, whose move it is, and what to do',
  args: { id: JOB },
  json: (job) => job.why,
  show: (job, view) => showWhy(job.why, view),
})

function showWhy({ cause, happened, move, todo, also }: Why, view: View): string {
  return view.times(
    textOf([happened, also.map((text) => `Also: ${text}`), `${MOVES[move]} ${todo}`, `(${cause})`]),
  )
}

/** How often (ms) the job is read. */
const LOOK_EVERY = 1000

/** Returns a line for each thing that the job did not have before. */
export function newsOf(before: JobDetail | null, now: JobDetail, view: View): string[] {
  const { time } = view
  const steps = now.payments.steps.slice(before?.payments.steps.length ?? 0)
  const tries = now.reports.flatMap(({ revision, attempts }) => {
    const known = before?.reports.find((report) => report.revision === revision)?.attempts.length ?? 0
    return attempts.slice(known).map((attempt) => ({ revision, attempt }))
  })
  return [
    ...steps.map((step) =>
      `${time(step.creationDate)}  ${step.action} ${step.status} ${step.amountPaid} paid ${detailOf(step)}`.trimEnd(),
    ),
    ...tries.map(({ revision, attempt }) => `${time(attempt.at)}  report ${revision}: ${outcomeOf(attempt)}`),
    ...(before?.why.cause === now.why.cause ? [] : ['', showWhy(now.why, view), '']),
  ]
}

function isOver({ status, reports }: JobDetail): boolean {
  return status !== 'PENDING' && reports.every(({ state }) => state !== 'due')
}

export const watch = hubCommand({
  does: 'follow a payment job live, until it has ended and the shop was told',
  args: { id: JOB, json: flag('print one JSON value a line for each change, and nothing else') },
  run: async ({ id: named, json }, utc) => {
    const view = viewOf(process.stdout, utc)
    const id = await jobIdOf(named)
    let shown: JobDetail | null = null
    for (;;) {
      const now = await ask('showJob', { params: { id } })
      const news = newsOf(shown, printable(now), view)
      if (news.length > 0) console.log(json ? JSON.stringify(now) : news.join('\n'))
      shown = now
      if (isOver(now)) return
      await pause(LOOK_EVERY)
    }
  },
})
