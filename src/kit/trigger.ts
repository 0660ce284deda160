import { createHub } from '../client/client.ts'
import { option, word } from '../programs/program.ts'
import { durationOf, oneNamed } from '../programs/usage-error.ts'
import { KEY_FLAG, developersHub } from './test-hub.ts'
import { isHere } from '../programs/chosen-hub.ts'
import { hubCommand } from '../programs/hub-command.ts'
import { RECEIVER } from './listen.ts'
import { type Row, headLines, rowLine, watchReports } from './report-rows.ts'
import { type Played, type Scenario, SCENARIOS, playScenario } from './scenarios.ts'
import type { View } from '../programs/view.ts'

/** The `report_url` for a hub elsewhere: nobody has this address (RFC 2606, section 2). */
const NOWHERE = 'https://report.invalid/report'

export const trigger = hubCommand({
  does: 'play a payment in the sandbox, and show its trace and its reports',
  example: 'paid --report-url http://localhost:3000/report',
  args: {
    scenario: { ...word(Object.keys(SCENARIOS).join(', ')), read: readScenario },
    'report-url': option('URL', `where its reports go, unless \`listen\` runs; ${RECEIVER} if not given`),
    ...KEY_FLAG,
    advance: {
      ...option('TIME', 'then let so much time pass at once, such as 4d: all tries of a report are made'),
      default: '0s',
      read: durationOf,
    },
    wait: { ...option('TIME', 'wait so long for the end'), default: '30s', read: durationOf },
  },
  run: async ({ scenario: { name, ...scenario }, 'report-url': reportUrl, key, advance, wait }) => {
    const hub = await developersHub(key)
    const api = createHub({ baseUrl: hub.url, apiKey: hub.key })
    const reports = await watchReports(hub)
    try {
      const to = reportUrl ?? (isHere(hub.url) ? RECEIVER : NOWHERE)
      const created = await api.createPaymentJob(orderAt(to, scenario))
      const played = await playScenario(
        { url: hub.url, api },
        reports,
        { ...scenario, advance },
        created,
        Date.now() + wait,
      )
      return { scenario: name, ...played, reports: reports.of(created.paymentJob) }
    } finally {
      reports.close()
    }
  },
  succeeds: ({ end }) => end === 'as expected',
  show: (told, view) => {
    const { scenario, job, reports } = told
    return [
      `${scenario}: ${SCENARIOS[scenario]?.does}. Payment job ${job.paymentJob}`,
      '',
      view.list('', job.payments.steps, [
        ['time', 'creationDate'],
        'action',
        'status',
        'stage',
        ['due', 'amountDue'],
        ['paid', 'amountPaid'],
        ['reserved', 'amountAuthorized'],
        ['released', 'amountReleased'],
        ['refunded', 'amountRefunded'],
        ['charged back', 'amountChargedBack'],
      ]),
      '',
      reports.length === 0 ? 'No report was tried.' : [headLines(), reports.map((row) => rowLine(row, view))],
      '',
      verdict(told, view),
    ]
  },
})

function readScenario(text: string) {
  const [name, scenario] = oneNamed('scenario', text, Object.entries(SCENARIOS), ([one]) => one)
  return { name, ...scenario }
}

function orderAt(reportUrl: string, { word: wish, captures, terminal }: Scenario) {
  const number = Math.floor(Math.random() * 1_000_000)
  const order = {
    currency: 'EUR',
    amount: '12.50',
    report_url: reportUrl,
    order_id: String(number),
    order_number: `TRIGGER-${number}${wish ? ` ${wish}` : ''}`,
  }
  if (terminal) return { ...order, terminal: 'default' }
  return {
    ...order,
    return_url: 'https://shop.invalid/thanks',
    payment_method: captures ? 'creditcard' : 'ideal',
    ...(captures ? { capture: 'manual' as const } : {}),
    language: 'en',
    ip_address: '203.0.113.7',
  }
}

function verdict({ end, job: { status }, reports }: Played & { reports: Row[] }, view: View): string {
  switch (end) {
    case 'as expected':
      return `As it should be: the job is ${status}, and its report was delivered.`
    case 'given up':
      return `The job is ${status}, but its report was given up after ${reports.length} tries.`
    case 'not delivered': {
      const next = view.time(reports.at(-1)?.nextTry)
      const then = next ? `; the next try is at ${next}` : ''
      return `The job is ${status}, but its report is not delivered yet: ${reports.length} tries${then}.`
    }
    case 'other status':
      return `The job is ${status}: this did not end as it should in time.`
  }
}
