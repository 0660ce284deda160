import { type PaymentJob, HubError, createHub } from '../../client/client.ts'
import { command, flag, option, word } from '../program.ts'
import { table } from '../table.ts'
import { UsageError, durationOf, notAmong, quoted } from '../usage-error.ts'
import { KEY_FLAG, type TestHub, developersHub, isHere, noHubAt } from './chosen-hub.ts'
import { RECEIVER } from './listen.ts'
import { type Row, tableLines, watchReports } from './report-rows.ts'
import { type Played, SCENARIOS, type Scenario, playScenario } from './scenarios.ts'

/**
 * Where reports of a hub elsewhere go when nobody listens: to no receiver (RFC 2606, section 2).
 */
const NOWHERE = 'https://report.invalid/report'

export const trigger = command({
  does: 'plays a payment in the sandbox, and shows its trace and its reports',
  example: 'paid --report-url http://localhost:3000/report',
  args: {
    scenario: word(Object.keys(SCENARIOS).join(', ')),
    'report-url': option(
      'URL',
      `where its reports go, unless \`npx hub listen\` runs; ${RECEIVER} if not given`,
    ),
    ...KEY_FLAG,
    advance: option('TIME', 'then let so much time pass at once, such as 4d: all tries of a report are made'),
    wait: option('TIME', 'wait so long for the end; 30s if not given'),
    json: flag('print one JSON value, and nothing else'),
  },
  run: async ({ scenario: name, 'report-url': reportUrl, key, advance, wait, json = false }) => {
    const scenario = Object.hasOwn(SCENARIOS, name) ? SCENARIOS[name] : undefined
    if (!scenario)
      throw new UsageError(`There is no ${quoted(name)}. ${notAmong(Object.keys(SCENARIOS), name)}`)
    const patience = durationOf('--wait', wait ?? '30s')
    const hub = await developersHub(key)
    try {
      const told = await play(
        hub,
        scenario,
        reportUrl ?? (isHere(hub.url) ? RECEIVER : NOWHERE),
        advance === undefined ? 0 : durationOf('--advance', advance),
        patience,
      )
      console.log(json ? JSON.stringify({ scenario: name, ...told }) : show(name, scenario, told))
      return told.end === 'as expected' ? 0 : 1
    } catch (thrown) {
      const error = thrown instanceof HubError ? refusal(hub.url, thrown) : thrown
      if (error instanceof UsageError || !(error instanceof Error)) throw error
      console.error(error.message)
      return 1
    }
  },
})

function refusal(url: string, { status, message }: HubError): Error {
  if (status === null) return new Error(noHubAt(url))
  const answered = `The hub at ${url} answered ${status}: ${message}`
  return [400, 404, 422].includes(status) ? new UsageError(answered) : new Error(answered)
}

type Told = Played & { reports: Row[] }

async function play(
  hub: TestHub,
  scenario: Scenario,
  reportUrl: string,
  advance: number,
  patience: number,
): Promise<Told> {
  const api = createHub({ baseUrl: hub.url, apiKey: hub.key })
  const reports = await watchReports(hub)
  try {
    const created = await api.createPaymentJob(orderAt(reportUrl, scenario.word))
    const played = await playScenario(
      { url: hub.url, api },
      reports,
      { ...scenario, advance },
      created,
      Date.now() + patience,
    )
    return { ...played, reports: reports.of(created.paymentJob) }
  } finally {
    reports.close()
  }
}

function orderAt(reportUrl: string, wish?: string) {
  const number = Math.floor(Math.random() * 1_000_000)
  return {
    currency: 'EUR',
    amount: '12.50',
    return_url: 'https://shop.invalid/thanks',
    report_url: reportUrl,
    payment_method: 'ideal',
    order_id: String(number),
    order_number: `TRIGGER-${number}${wish ? ` ${wish}` : ''}`,
    language: 'en',
    ip_address: '203.0.113.7',
  }
}

function show(name: string, { does }: Scenario, told: Told): string {
  const lines = tableLines(process.stdout.columns ?? 160)
  const { job, reports } = told
  return [
    `${name}: ${does}. Payment job ${job.paymentJob}`,
    '',
    traceOf(job),
    '',
    ...(reports.length === 0 ? ['No report was tried.'] : [lines.head(), ...reports.map(lines.row)]),
    '',
    verdict(told),
  ].join('\n')
}

function traceOf({ payments }: PaymentJob): string {
  return table(
    ['time', 'action', 'status', 'stage', 'due', 'paid', 'refunded', 'charged back'],
    payments.steps.map((step) => [
      step.creationDate.slice(0, 23).replace('T', ' '),
      step.action,
      step.status,
      step.stage ?? '',
      step.amountDue,
      step.amountPaid,
      step.amountRefunded ?? '',
      step.amountChargedBack ?? '',
    ]),
  )
}

function verdict({ end, job, reports }: Told): string {
  switch (end) {
    case 'as expected':
      return `As it should be: the job is ${job.status}, and its report was delivered.`
    case 'given up':
      return `The job is ${job.status}, but its report was given up after ${reports.length} tries.`
    case 'not delivered': {
      const next = reports.at(-1)?.nextTry
      const owed = next ? `; the next try is at ${next}` : ''
      return `The job is ${job.status}, but its report is not delivered yet: ${reports.length} tries${owed}.`
    }
    case 'other status':
      return `The job is ${job.status}: this did not end as it should in time.`
  }
}
