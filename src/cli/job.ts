import type { JobReport } from '../contract/failing-reports.ts'
import type { JobDetail } from '../contract/job-detail.ts'
import { changesIn, figuresIn, moneyIn, moneyWords, sumText } from '../contract/job-money.ts'
import type { Step } from '../contract/payment-job.ts'
import { cardText } from '../contract/terminals.ts'
import { type Why, MOVES } from '../contract/why.ts'
import { pause } from '../client/pause.ts'
import { flag } from '../programs/program.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { JOB, jobIdOf } from './named.ts'
import { ask } from './operator-api.ts'
import {
  type Lines,
  type Pair,
  type View,
  printable,
  printableJson,
  textOf,
  viewOf,
} from '../programs/view.ts'

function detailOf(step: Step, place: number, steps: readonly Step[]): string {
  const changes = changesIn(step, steps.slice(0, place)).map(({ amount, word }) => `${amount} ${word}`)
  return [step.stage, ...changes].filter(Boolean).join(', ')
}

function outcomeOf({ outcome, milliseconds, answer }: JobReport['attempts'][number]): string {
  return `${outcome}${milliseconds === undefined ? '' : ` after ${milliseconds} ms`}${answer ? `: ${answer}` : ''}`
}

/** Identifies a payment, in the question before a change. */
export function headOf(known: JobDetail): string {
  const job = printable(known)
  const { orderNumber, posName, status, paymentJob } = job
  const money = moneyOf(job, String).map(([name, amount]) => `${amount} ${name}`)
  const transfers = job.transfers.map(({ kind, amount, state }) => `${kind} of ${amount} is ${state}`)
  return (
    `Order ${orderNumber} of ${posName} is ${status}: ${money.join(', ')} ` +
    `(${[paymentJob, ...transfers, ...remarksOn(job)].join('; ')})`
  )
}

/** Shows a payment job: its state and why, then everything else. */
export function showJob(job: JobDetail, view: View): Lines {
  const { time, pairs, list } = view
  const { currency, timers } = job
  const money = moneyIn(job)
  const text = (amount: string) => `${currency} ${amount}`
  const became = [sumText(money, text), ...moneyWords(money, text).map((one) => one.text)]
  return [
    `Order ${job.orderNumber} of ${job.posName} is ${job.status}: ${became.join(', ')}`,
    '',
    showWhy(job.why, view),
    remarksOn(job).map((remark) => `Note: ${remark}`),
    '',
    pairs([
      ['payment job', job.paymentJob],
      ['created', job.created],
      ['point of sale', `${job.posName} (${job.pos}), ${job.mode} mode`],
      ['paid by', job.paymentMethod],
      ['account', `${job.account}, ${job.reference ? `its reference ${job.reference}` : 'not announced'}`],
      ['passed over', job.passedOver.join(', ')],
      ['terminal', job.terminal && `${job.terminal.id}: ${job.terminal.state}`],
      ['card', job.card && cardText(job.card)],
      ['error', job.error],
      ['reports go to', job.attributes.reportUrl],
      ...TIMERS.map(([name, does]): Pair => [does, timers[name]]),
    ]),
    '',
    pairs(moneyOf(job, time)),
    job.transfers.length > 0 && [
      '',
      list('', job.transfers, [
        'kind',
        ['amount', (one) => `${currency} ${one.amount}`],
        'state',
        'asked',
        'changed',
        ['id', (one) => one.id ?? one.own ?? ''],
        ['why', (one) => one.why ?? ''],
      ]),
    ],
    '',
    list(
      '',
      job.payments.steps.map((step, place, all) => ({ ...step, detail: detailOf(step, place, all) })),
      [['time', 'creationDate'], 'action', 'status', ['', 'detail']],
    ),
    '',
    job.reports.length === 0
      ? 'Nothing to report yet.'
      : view.table(
          ['report', 'state', 'tried', 'outcome'],
          job.reports.flatMap(({ revision, state, due, attempts }, place, { length }) => [
            [
              String(revision),
              state === 'given-up' && place < length - 1 ? 'replaced' : state.replace('-', ' '),
              '',
              due ? `next try ${time(due)}` : '',
            ],
            ...attempts.map((attempt) => ['', '', time(attempt.at), outcomeOf(attempt)]),
          ]),
        ),
  ]
}

/** The amounts of a payment, each with its name. */
function moneyOf(job: JobDetail, time: View['time']): [name: string, amount: string][] {
  const amounts = figuresIn(job).map(({ word, amount }) => [word, amount] as const)
  const left = job.captureBefore
    ? [[`can be captured until ${time(job.captureBefore)}`, job.capturable] as const]
    : []
  return [...amounts, ...left].map(([name, amount]) => [name, `${job.currency} ${amount}`])
}

/** The warnings for an operator who is about to move the money. */
function remarksOn(job: JobDetail): string[] {
  return [
    job.stage === 'underway' && 'its money is under way',
    job.stage === 'authorized' && !job.amountAuthorized && 'its money is reserved, and the hub captures it',
    job.late && 'its money came after it had ended',
    ...job.otherPayments.map(
      ({ account, reference, amountPaid }) =>
        `${account} may hold another payment${reference ? `, ${reference}` : ''}: ${amountPaid} paid there`,
    ),
  ].filter((remark) => typeof remark === 'string')
}

const TIMERS: readonly (readonly [keyof JobDetail['timers'], string])[] = [
  ['expires', 'ends'],
  ['nextAnnouncement', 'next try to announce it'],
  ['nextPull', 'next question to the PSP'],
  ['nextReport', 'next report'],
  ['purge', 'is deleted'],
]

export async function detailOfJob(named: string): Promise<JobDetail> {
  return ask('showJob', { params: { id: await jobIdOf(named) } })
}

export const show = operationCommand('showJob', {
  does: 'show a payment job: its state and why, its money, its trace, and each try to report it',
  example: 'A-1001 --at 14:02',
  show: showJob,
})

export const why = operationCommand('showJob', {
  does: 'explain the state of a payment: why, whose move it is, and what to do',
  flags: [],
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

/** Returns a line for each step, try and cause that is new in the job. */
export function newsOf(before: JobDetail | null, now: JobDetail, view: View): string[] {
  const { time } = view
  const { steps } = now.payments
  const tries = now.reports.flatMap(({ revision, attempts }) => {
    const known = before?.reports.find((report) => report.revision === revision)?.attempts.length ?? 0
    return attempts.slice(known).map((attempt) => ({ revision, attempt }))
  })
  return [
    ...steps
      .map((step, place) =>
        `${time(step.creationDate)}  ${step.action} ${step.status} ${detailOf(step, place, steps)}`.trimEnd(),
      )
      .slice(before?.payments.steps.length ?? 0),
    ...tries.map(({ revision, attempt }) => `${time(attempt.at)}  report ${revision}: ${outcomeOf(attempt)}`),
    ...(before?.why.cause === now.why.cause ? [] : ['', showWhy(now.why, view), '']),
  ]
}

function isOver({ status, reports }: JobDetail): boolean {
  return status !== 'PENDING' && reports.every(({ state }) => state !== 'due')
}

export const watch = hubCommand({
  does: 'follow a payment job live, until it has ended and its report has reached the shop',
  args: { id: JOB, json: flag('print one JSON value a line for each change, and nothing else') },
  run: async ({ id: named, json }, utc) => {
    const view = viewOf(process.stdout, utc)
    const id = await jobIdOf(named)
    let shown: JobDetail | null = null
    for (;;) {
      const now = await ask('showJob', { params: { id } })
      const news = newsOf(shown, printable(now), view)
      if (news.length > 0) console.log(json ? printableJson(now) : news.join('\n'))
      shown = now
      if (isOver(now)) return
      await pause(LOOK_EVERY)
    }
  },
})
