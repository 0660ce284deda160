import type { JobReport } from '../../contract/failing-reports.ts'
import type { JobDetail, JobJournal } from '../../contract/jobs.ts'
import type { Step } from '../../contract/payment-job.ts'
import { type Why, MOVES } from '../../contract/why.ts'
import { flag, option } from '../program.ts'
import { UsageError } from '../usage-error.ts'
import { count, hubCommand, operationCommand } from './hub-command.ts'
import { JOB, jobIdOf, searchedAccount } from './named.ts'
import { addUp, ask, askPages } from './operator-api.ts'
import { YES, confirm } from './prompt.ts'
import { type Lines, type View, printable, printableText, textOf, viewOf } from './view.ts'

export function detailOf({ stage, amountRefunded, amountChargedBack }: Step): string {
  return [
    stage,
    amountRefunded && `${amountRefunded} refunded`,
    amountChargedBack && `${amountChargedBack} charged back`,
  ]
    .filter(Boolean)
    .join(', ')
}

export function outcomeOf({ outcome, milliseconds, answer }: JobReport['attempts'][number]): string {
  return `${outcome}${milliseconds === undefined ? '' : ` after ${milliseconds} ms`}${answer ? `: ${answer}` : ''}`
}

/** Which payment it is, in the question before it is changed. */
export function headOf(job: JobDetail): string {
  const { orderNumber, posName, status, currency, amountPaid, amountDue, paymentJob } = job
  return printableText(
    `Order ${orderNumber} of ${posName} is ${status}: ${currency} ${amountPaid} paid, ${amountDue} due ` +
      `(${[paymentJob, ...moneyOf(job)].join('; ')})`,
  )
}

/** A payment job as an operator reads it: why it stands so in front, then all that is known. */
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
    job.passedOver.length > 0 && `passed over: ${job.passedOver.join(', ')}`,
    `reports go to ${job.attributes.reportUrl}`,
    job.error && `error: ${job.error}`,
    moneyOf(job),
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

function moneyOf(job: JobDetail): string[] {
  return [
    job.stage === 'underway' && 'its money is under way',
    job.stage === 'authorized' && 'its money is reserved, and not yet captured',
    job.late && 'its money came after it had ended',
    job.amountRefunded && `${job.currency} ${job.amountRefunded} refunded`,
    job.amountChargedBack && `${job.currency} ${job.amountChargedBack} charged back`,
    ...job.otherPayments.map(
      ({ account, reference, amountPaid }) =>
        `${account} may hold another payment${reference ? `, ${reference}` : ''}: ${amountPaid} paid there`,
    ),
    ...job.refunds.map(
      ({ refund, amount, status, error }) =>
        `refund ${refund} of ${amount} is ${status}${error ? `: ${error}` : ''}`,
    ),
  ].filter((line) => typeof line === 'string')
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
  example: 'A-1001',
  args: { id: JOB, json: flag('print an entry a line, as JSON (NDJSON)') },
  run: async ({ id, json }, utc) => {
    const answer = await ask('showJournal', { params: { id: await jobIdOf(id) } })
    if (json) for (const entry of answer.entries) console.log(JSON.stringify(entry))
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

export const why = hubCommand({
  does: 'say why a payment stands as it does, whose move it is, and what to do',
  example: 'A-1001',
  args: { id: JOB },
  run: async ({ id }) => (await detailOfJob(id)).why,
  show: showWhy,
})

export function showWhy({ cause, happened, move, todo, also }: Why, view: View): string {
  return view.times(
    textOf([happened, also.map((text) => `Also: ${text}`), `${MOVES[move]} ${todo}`, `(${cause})`]),
  )
}

export const cancel = hubCommand({
  does: 'stop a payment that the customer can still make',
  example: 'A-1001',
  args: { id: JOB, ...YES },
  run: async ({ id, yes }) => {
    const job = await detailOfJob(id)
    await confirm(
      `${headOf(job)}\nStop this payment? The customer can then not make it any more, and the shop is told.`,
      yes,
    )
    return ask('cancelJob', { params: { id: job.paymentJob } })
  },
  show: showJob,
})

export const pull = operationCommand('pullJob', {
  does: 'ask the PSP now how a payment stands',
  example: 'A-1001',
  args: { id: JOB },
  show: showJob,
})

export const announce = hubCommand({
  does: 'announce a payment now that waits for its PSP, or with --account all that wait there',
  example: 'A-1001',
  args: {
    id: { ...JOB, required: false },
    account: option('ID', 'all that wait at this account, each by the route that its shop has now'),
  },
  run: async ({ id, account }) => {
    if (id !== undefined && account === undefined) {
      await ask('announceJob', { params: { id: await jobIdOf(id) } })
      return { announced: 1, waiting: 0 }
    }
    if (id === undefined && account !== undefined)
      return addUp(askPages('announceJobs', { params: { id: await searchedAccount(account) } }))
    throw new UsageError('Say which: job announce ID, or job announce --account ID')
  },
  succeeds: ({ waiting }) => waiting === 0,
  show: ({ announced, waiting }) =>
    `${count(announced, 'payment is', 'payments are')} announced.` +
    (waiting === 0 ? '' : ` ${waiting} still wait: the hub goes on trying.`),
})
