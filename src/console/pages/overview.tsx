import type { Figures } from '../../contract/job-index.ts'
import { FIGURES, figuresWith } from '../../contract/money-figures.ts'
import { usualMode } from '../../contract/points-of-sale.ts'
import { HOUR } from '../../contract/timestamp.ts'
import { Mode } from '../../contract/values.ts'
import { Chart, type TimeUnit } from '../parts/chart.tsx'
import { amountText, countText, durationText, rateText, titled, waitingText } from '../parts/formats.ts'
import {
  AnswerView,
  Choices,
  Empty,
  Facts,
  Head,
  StatePill,
  TestMark,
  Theirs,
  Time,
  To,
  Table,
} from '../parts/parts.tsx'
import type { ConsolePage } from '../plumbing/visit.ts'
import type { HubHealth } from '../../contract/hub-health.ts'
import { FailingShops } from './reports.tsx'

type Range = { name: string; label: string; hours: number; unit: TimeUnit }
const DAY_RANGE: Range = { name: '24h', label: '24 hours', hours: 24, unit: 'hour' }
const RANGES: readonly Range[] = [
  DAY_RANGE,
  { name: '7d', label: '7 days', hours: 168, unit: 'day' },
  { name: '30d', label: '30 days', hours: 720, unit: 'day' },
]

/** Shows the hub's hourly figures and everything that fails now. */
export const overviewPage: ConsolePage = async (visit) => {
  const { api, url, now } = visit
  const range = RANGES.find(({ name }) => name === url.searchParams.get('range')) ?? DAY_RANGE
  const asked = Mode.options.find((name) => name === url.searchParams.get('mode'))
  // The range covers whole hours or days, because each is a column of the chart.
  const to = Math.ceil(now / HOUR) * HOUR
  const from = to - range.hours * HOUR
  const query = { from: new Date(from).toISOString(), to: new Date(to).toISOString(), mode: asked }
  const [time, accounts, methods, health, shops] = await Promise.all([
    api('showFigures', { query: { ...query, by: range.unit } }),
    api('showFigures', { query: { ...query, by: 'account' } }),
    api('showFigures', { query: { ...query, by: 'method' } }),
    api('showHubHealth'),
    api('listPointsOfSale'),
  ])
  // Without `mode` the API counts live payments, or test ones while no shop is live.
  const mode = asked ?? (shops.ok ? usualMode(shops.value.pointsOfSale) : 'live')
  return {
    title: 'Overview',
    after: 30,
    body: (
      <>
        <Head title="Overview" mode={mode} inMode={(name) => addressOf(range.name, name)}>
          <Choices
            label="Time"
            options={RANGES.map(({ name, label }) => [name, label] as const)}
            shown={range.name}
            href={(name) => addressOf(name, mode)}
          />
        </Head>
        <div data-part="health">
          <AnswerView answer={health} name="Health of the hub">
            {(found) => (
              <>
                <Now health={found} mode={mode} />
                <YourMove health={found} mode={mode} />
              </>
            )}
          </AnswerView>
        </div>
        <div data-part="time">
          <AnswerView answer={time} name="Payments by time">
            {(found) => (
              <>
                <Totals figures={found} />
                <section class="card">
                  <h2>Payments by {range.unit === 'day' ? `day (${found.zone})` : 'hour'}</h2>
                  {found.total.created === 0 ? (
                    <Empty title={`No ${mode} payments in this time`}>
                      {mode === 'live' ? (
                        <a href={addressOf(range.name, 'test')}>Show test payments</a>
                      ) : (
                        'New payments appear here at once.'
                      )}
                    </Empty>
                  ) : (
                    <Chart figures={found} unit={range.unit} />
                  )}
                </section>
              </>
            )}
          </AnswerView>
        </div>
        <div class="two" data-part="groups">
          <AnswerView answer={accounts} name="Payments by account">
            {(found) => <Groups title="By account" param="account" figures={found} />}
          </AnswerView>
          <AnswerView answer={methods} name="Payments by method">
            {(found) => <Groups title="By method" param="method" figures={found} />}
          </AnswerView>
        </div>
      </>
    ),
  }
}

function addressOf(range: string, mode: string): string {
  return `/console?range=${range}&mode=${mode}`
}

function Totals({ figures: { total } }: { figures: Figures }) {
  const back = figuresWith('isBack')
  const isBack = back.some((name) => total[name].length > 0)
  return (
    <Facts
      kind="totals"
      rows={[
        ['Payments', countText(total.created)],
        ['Success rate', rateText(total.successRate)],
        ['Median time to pay', medianText(total.medianSeconds)],
        ['Paid', <Sums sums={total.paid} />],
        ...back.map((name) => isBack && ([titled(FIGURES[name].word), <Sums sums={total[name]} />] as const)),
        isBack && ['Net', <Sums sums={total.net} />],
      ]}
    />
  )
}

function medianText(seconds: number | null): string {
  return seconds === null ? '–' : durationText(seconds)
}

function Sums({ sums }: { sums: Figures['total']['paid'] }) {
  if (sums.length === 0) return <>–</>
  return (
    <>
      {sums.map(({ currency, amount }) => (
        <span key={currency}>{amountText(amount, currency)}</span>
      ))}
    </>
  )
}

/** Returns true if an account takes no payments, or payments wait for it. */
function isIll({ state, waiting }: HubHealth['accounts'][number]): boolean {
  return state === 'refused' || state === 'unavailable' || waiting > 0
}

/** Lists what fails now: parts of the hub, and shops and accounts of the mode. */
export function Now({ health, mode }: { health: HubHealth; mode: Mode }) {
  const accounts = health.accounts.filter((one) => one.mode === mode && isIll(one))
  const shops = health.shops.filter((one) => one.mode === mode)
  const parts = health.parts.filter(({ state }) => state === 'failing' || state === 'slow')
  if (accounts.length + shops.length + parts.length === 0) {
    const backups = health.parts.find(({ part }) => part === 'backups')
    return (
      <p class="well">
        Everything works: each shop takes its reports, and each account its payments.
        {backups?.message && ` Backups: ${backups.message}.`}
      </p>
    )
  }
  return (
    <section class="card failing" aria-labelledby="failing">
      <h2 id="failing">Failing now</h2>
      <ul class="rows">
        <FailingShops shops={shops} />
        {accounts.map(({ account, state, since, message, waiting }) => (
          <li key={account}>
            <a href={`/console/accounts#${account}`}>{account}</a>
            <span class="soft">
              <StatePill state={state === 'working' || state === 'unknown' ? 'due' : state} />{' '}
              {mode === 'test' && <TestMark />} {message !== null && <Theirs>{message}</Theirs>}
              {waiting > 0 && ` · ${waitingText(waiting)}`}
            </span>
            {since !== null && (
              <span class="since">
                since <Time at={since} />
              </span>
            )}
          </li>
        ))}
        {parts.map(({ part, state, message }) => (
          <li key={part}>
            <a href="/console/settings">{part}</a>
            <span class="soft">
              <StatePill state={state} /> {message}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Lists money that an operator has to decide about: it pays no order, or its reservation ends soon. */
function YourMove({ health, mode }: { health: HubHealth; mode: Mode }) {
  const moves = [
    ['unapplied=1', 'money that pays no order', health.unapplied[mode]],
    ['ends_within=24h', 'reserved money to capture within a day', health.reservedEndsSoon[mode]],
  ] as const
  const open = moves.filter(([, , sums]) => sums.length > 0)
  const { credentials } = health
  return open.length + credentials.length === 0 ? null : (
    <section class="card failing" aria-labelledby="your-move">
      <h2 id="your-move">Your move</h2>
      <ul class="rows">
        {open.map(([query, what, sums]) => (
          <li key={query}>
            <a href={`/console/payments?${query}&mode=${mode}`}>{paymentsWith(what, sums)}</a>
            <span class="soft sums">
              <Sums sums={sums} />
            </span>
          </li>
        ))}
        {credentials.map(({ kind, id, name, state, created, expires }) => (
          <li key={kind + id + created}>
            <To
              href={kind === 'api-key' ? `/console/points-of-sale/${id}` : '/console/settings/tokens'}
              text={`${kind === 'api-key' ? 'API key of' : 'Operator token'} ${name}`}
            />
            <span class="soft">
              <StatePill state={state} />
            </span>
            <span class="since">
              {WHEN[state]} <Time at={state === 'old' || expires === null ? created : expires} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

const WHEN = { working: '', old: 'made', ended: 'ended', 'ends-soon': 'ends' } as const

function paymentsWith(what: string, sums: HubHealth['unapplied']['live']): string {
  const payments = sums.reduce((all, one) => all + one.payments, 0)
  return `${countText(payments)} ${payments === 1 ? 'payment has' : 'payments have'} ${what}`
}

/** Shows figures by account or by method, each with a link to its payments. */
function Groups({ title, param, figures }: { title: string; param: string; figures: Figures }) {
  return (
    <section class="card">
      <h2>{title}</h2>
      <Table
        label={title}
        rows={figures.rows}
        empty={<Empty title="No payments in this time" />}
        columns={[
          {
            name: param === 'account' ? 'Account' : 'Method',
            class: 'any',
            isName: true,
            cell: ({ key, name }) => (
              <To
                href={`/console/payments?mode=${figures.mode}&${param}=${encodeURIComponent(key)}`}
                text={name}
              />
            ),
          },
          { name: 'Payments', class: 'number', cell: ({ created }) => countText(created) },
          { name: 'Paid', class: 'number', cell: ({ success }) => countText(success) },
          { name: 'Success', class: 'number', cell: ({ successRate }) => <Rate rate={successRate} /> },
          {
            name: 'Time to pay',
            class: 'wide number',
            cell: ({ medianSeconds }) => medianText(medianSeconds),
          },
        ]}
      />
    </section>
  )
}

function Rate({ rate }: { rate: number | null }) {
  return (
    <>
      {rate !== null && <meter min="0" max="1" value={rate} aria-hidden="true" />}
      {rateText(rate)}
    </>
  )
}
