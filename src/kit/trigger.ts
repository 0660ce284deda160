import { createHub } from '../client/client.ts'
import { pause } from '../client/pause.ts'
import { FIGURES, figuresOfSteps } from '../contract/money-figures.ts'
import type { PaymentJob } from '../contract/payment-job.ts'
import { isHere } from '../programs/chosen-hub.ts'
import { count, hubCommand } from '../programs/hub-command.ts'
import { option, word } from '../programs/program.ts'
import { durationOf, oneNamed } from '../programs/usage-error.ts'
import type { View } from '../programs/view.ts'
import { DEADLINE, RECEIVER } from './listen.ts'
import { NOWHERE, NotInTime, createJob, newPayment, shopOrder, standingOf } from './payment.ts'
import { type Row, tableOf, watchReports } from './report-rows.ts'
import { type Scenario, PAYMENTS, SHORT_NAMES } from './scenarios.ts'
import { KEY_FLAG, developersHub } from './test-hub.ts'

const NAMES = [...Object.keys(PAYMENTS), ...Object.keys(SHORT_NAMES)]

/** The end of a scenario: how the job stands, and whether its last report arrived. */
type End = 'as expected' | 'other status' | 'given up' | 'not delivered'

export const trigger = hubCommand({
  does: 'play a payment in the sandbox, and show its trace and its reports',
  example: 'paid --report-url http://localhost:3000/report',
  args: {
    scenario: {
      ...word(NAMES.join(', ')),
      read: (text) => oneNamed('scenario', text, NAMES, (name) => name),
    },
    'report-url': option('URL', `where its reports go, unless \`listen\` runs; ${RECEIVER} if not given`),
    ...KEY_FLAG,
    advance: {
      ...option('TIME', 'then let so much time pass at once, such as 4d: all tries of a report are made'),
      default: '0s',
      read: durationOf,
    },
    wait: { ...option('TIME', 'wait so long for the end'), default: '30s', read: durationOf },
  },
  run: async ({ scenario, 'report-url': reportUrl, key, advance, wait }) => {
    const hub = await developersHub(key)
    const api = createHub({ baseUrl: hub.url, apiKey: hub.key })
    const reports = await watchReports(hub)
    try {
      const wanted = scenarioOf(scenario)
      const order = shopOrder(`TRIGGER-${Math.floor(Math.random() * 1_000_000)}`, wanted)
      const report = reportUrl ?? (isHere(hub.url) ? RECEIVER : `${NOWHERE}/report`)
      const created = await createJob(api, order, { report, back: `${NOWHERE}/thanks` })
      const { paymentJob: id } = created
      const deadline = Date.now() + wait
      const payment = newPayment({ hub, api, deadline: () => deadline, note: () => {} }, created, {
        ...NO_SHOP,
        reported: () => {
          const answered = reports.of(id).filter(({ outcome }) => outcome !== null)
          return Array.from(new Map(answered.map((row) => [row.webhookId, standingOf(row)])).values())
        },
      })
      const play = async (): Promise<End> => {
        for (const move of wanted.moves) await move(payment)
        if (advance > 0) await payment.letPass(Math.ceil(advance / 1000))
        for (;;) {
          const state = reports.newest(id)?.state
          if (state === 'delivered') return 'as expected'
          if (state === 'given-up') return 'given up'
          if (Date.now() > deadline) return 'not delivered'
          await pause(LOOK_EVERY)
        }
      }
      const end = await play().catch(async (error: unknown): Promise<End> => {
        if (!(error instanceof NotInTime)) throw error
        return error.wanted === standingOf(await payment.job()) ? 'not delivered' : 'other status'
      })
      // A try that has begun ends by itself: only then is it known when the next one is.
      const tryEnds = Date.now() + DEADLINE + LOOK_EVERY
      while (reports.newest(id)?.outcome === null && Date.now() < tryEnds) await pause(LOOK_EVERY)
      return { scenario, job: await payment.job(), end, reports: reports.of(id) }
    } finally {
      reports.close()
    }
  },
  succeeds: ({ end }) => end === 'as expected',
  show: (played, view) => {
    const { scenario, job, reports } = played
    return [
      `${scenario}: ${scenarioOf(scenario).does} Payment job ${job.paymentJob}`,
      '',
      view.list('', job.payments.steps, [
        ['time', 'creationDate'],
        'action',
        'status',
        'stage',
        ...figuresOfSteps().map((name) => [FIGURES[name].word, FIGURES[name].api] as const),
      ]),
      '',
      reports.length === 0 ? 'No report was tried.' : tableOf(reports, view),
      '',
      verdict(played, view),
    ]
  },
})

const LOOK_EVERY = 300

/** Takes part for a shop that is not asked how the order stands. */
const NO_SHOP = {
  comesBack: async () => {},
  mustBePaid: async () => {},
  mustBeUnpaid: async () => {},
  paysAgain: async () => {},
}

function scenarioOf(name: string): Scenario {
  const scenario = PAYMENTS[SHORT_NAMES[name] ?? name]
  if (scenario) return scenario
  throw new Error(`There is no scenario ${name}.`)
}

function verdict(
  { end, job: { status }, reports }: { end: End; job: PaymentJob; reports: readonly Row[] },
  view: View,
): string {
  switch (end) {
    case 'as expected':
      return `As it should be: the job is ${status}, and its report was delivered.`
    case 'given up':
      return `The job is ${status}, but the hub gave up its report after ${reports.length} tries.`
    case 'not delivered': {
      const next = view.time(reports.at(-1)?.nextTry)
      const then = next ? `; the next try is at ${next}` : ''
      const tries = count(reports.length, 'try', 'tries')
      return `The job is ${status}, but its report was not delivered in time: ${tries}${then}.`
    }
    case 'other status':
      return `The job is ${status}: it did not end in time as it should.`
  }
}
