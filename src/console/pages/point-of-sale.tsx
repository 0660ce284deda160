import type { Account } from '../../contract/accounts.ts'
import { Right } from '../../contract/key-limits.ts'
import type { PaymentRouteList, PointOfSale, PointOfSaleShown } from '../../contract/points-of-sale.ts'
import type { FailingReports } from '../../contract/failing-reports.ts'
import { idOf } from '../plumbing/action.tsx'
import { ActionLink } from '../plumbing/question.tsx'
import type { ApiAnswer } from '../plumbing/api.ts'
import { shownOnce, onceHeaders, ShownOnce } from '../plumbing/once.tsx'
import {
  Amount,
  AnswerView,
  Code,
  Empty,
  End,
  Facts,
  StatePill,
  Table,
  Theirs,
  Time,
  problemView,
} from '../parts/parts.tsx'
import { PosState } from './points-of-sale.tsx'
import { FailingShops } from './reports.tsx'
import { RouteForm } from './route-action.tsx'
import { TerminalsCard } from './terminals.tsx'
import { type ConsolePage, useRole } from '../plumbing/visit.ts'

/** Shows a point of sale, its keys, and the accounts that take its payments. */
export const posPage: ConsolePage = async (visit) => {
  const id = idOf(visit)
  const [shown, routes, accounts, terminals, failing, once] = await Promise.all([
    visit.api('showPointOfSale', { params: { id } }),
    visit.api('listPaymentRoutes', { params: { id } }),
    visit.api('listAccounts'),
    visit.api('listPosTerminals', { params: { id } }),
    visit.api('listFailingReports', { query: { pos: id, limit: '1' } }),
    shownOnce(visit),
  ])
  if (!shown.ok) return problemView('This point of sale cannot be shown', shown.problem)
  const pos = shown.value
  return {
    title: pos.name,
    headers: onceHeaders(visit, once),
    body: (
      <>
        <Head pos={pos} />
        <Failing answer={failing} />
        <ShownOnce once={once} />
        <div class="sides">
          <section class="card">
            <h2>Routes</h2>
            {pos.mode === 'test' ? (
              <p class="soft">
                In test mode the built-in sandbox takes every payment. Before a shop goes live, a{' '}
                <a href="/docs/certificate">certificate</a> shows that its program works.
              </p>
            ) : (
              <AnswerView answer={routes} name="Routes">
                {(found) => (
                  <AnswerView answer={accounts} name="Accounts">
                    {(known) => <Routes found={found} accounts={known.accounts} />}
                  </AnswerView>
                )}
              </AnswerView>
            )}
          </section>
          <div>
            <TerminalsCard pos={pos} answer={terminals} />
            <Details pos={pos} />
            <Keys pos={pos} />
          </div>
        </div>
      </>
    ),
  }
}

function Head({ pos }: { pos: PointOfSale }) {
  return (
    <div class="subject">
      <div>
        <h1>
          <Theirs>{pos.name}</Theirs>
        </h1>
        <p>
          <PosState pos={pos} />
        </p>
      </div>
      <p class="buttons">
        <a class="button" href={`/console/payments?pos=${pos.id}`}>
          Its payments
        </a>
        <ActionLink does="changePointOfSale" id={pos.id} text="Change" />
        {pos.disabled === null ? (
          <ActionLink does="disablePointOfSale" id={pos.id} kind="danger" text="Disable" />
        ) : (
          <ActionLink does="enablePointOfSale" id={pos.id} text="Enable" />
        )}
      </p>
    </div>
  )
}

/** Shows the reports that a shop does not take, and offers to send them again. */
function Failing({ answer }: { answer: ApiAnswer<FailingReports> }) {
  if (answer.ok && answer.value.shops.length === 0) return null
  return (
    <section class="card failing" aria-labelledby="failing">
      <h2 id="failing">Its reports fail</h2>
      <AnswerView answer={answer} name="Reports">
        {({ shops }) => (
          <>
            <ul class="rows">
              <FailingShops shops={shops} />
            </ul>
            {shops.map(({ pos }) => (
              <p key={pos} class="buttons">
                <a class="button" href={`/console/payments?pos=${pos}&failing=1`}>
                  Its payments whose report fails
                </a>
                <ActionLink does="resendReportsOfShop" id={pos} text="Send all again" />
              </p>
            ))}
          </>
        )}
      </AnswerView>
    </section>
  )
}

function Details({ pos }: { pos: PointOfSaleShown }) {
  return (
    <section class="card">
      <h2>Details</h2>
      <Facts
        rows={[
          ['Id', <Code>{pos.id}</Code>],
          ['Mode', pos.mode === 'test' ? 'Test: no money moves' : 'Live'],
          ['Dialect', pos.dialect],
          ['Signed returns', pos.signReturn ? 'Yes' : 'No'],
          ['Created', <Time at={pos.created} form="full" />],
          [
            'Refunds today',
            pos.refundsToday.length === 0
              ? 'No limit'
              : pos.refundsToday.map(({ currency, limit, used }) => (
                  <p key={currency}>
                    <Amount amount={used} currency={currency} /> of{' '}
                    <Amount amount={limit} currency={currency} />
                  </p>
                )),
          ],
          [
            'PIN for refunds',
            pos.refundPin === null ? (
              'None'
            ) : (
              <>
                Set <Time at={pos.refundPin.set} />
                {pos.refundPin.locked !== null && (
                  <>
                    , locked until <Time at={pos.refundPin.locked} />
                  </>
                )}
              </>
            ),
          ],
          pos.disabled !== null && ['Disabled', <Time at={pos.disabled} form="full" />],
        ]}
      />
      {!useRole('operator') && <p class="soft">Changes need the role operator.</p>}
    </section>
  )
}

function Keys({ pos }: { pos: PointOfSaleShown }) {
  return (
    <section class="card">
      <h2>Keys</h2>
      <Table
        label="API keys"
        rows={pos.keys}
        columns={[
          { name: 'Made', isName: true, cell: ({ created }) => <Time at={created} /> },
          {
            name: 'May',
            class: 'any',
            cell: ({ can }) => (can.length === Right.options.length ? 'Everything' : can.join(', ')),
          },
          { name: 'Ends', class: 'number', cell: ({ expires }) => <End at={expires} /> },
          { name: 'State', cell: ({ state }) => <StatePill state={state} /> },
        ]}
      />
      <p class="soft">
        The signing secret was made <Time at={pos.secretMade} />. To rotate the API key: make a new one, give
        it to the shop, then end the older ones.
      </p>
      <p class="buttons">
        <ActionLink does="addApiKey" id={pos.id} text="New API key" />
        <ActionLink does="revokeApiKeys" id={pos.id} kind="danger" text="End older keys" />
        <ActionLink does="rotateSigningSecret" id={pos.id} text="New signing secret" />
        <ActionLink does="setRefundPin" id={pos.id} text="PIN for refunds" />
      </p>
    </section>
  )
}

function Routes({ found, accounts }: { found: PaymentRouteList; accounts: readonly Account[] }) {
  return (
    <>
      <p class="soft">
        The hub tries the accounts of a payment method in this order, and leaves out those without a number.{' '}
        <code>*</code> stands for every method that has no route of its own.
      </p>
      {found.routes.length === 0 && (
        <Empty title="No routes">Without a route the hub cannot announce payments.</Empty>
      )}
      {useRole('operator')
        ? [...found.routes, { paymentMethod: '', accounts: [] }].map((route) => (
            <RouteForm key={route.paymentMethod} pos={found.pos} route={route} accounts={accounts} />
          ))
        : found.routes.map(({ paymentMethod, accounts: tried }) => (
            <p key={paymentMethod}>
              <code>{paymentMethod}</code> → {tried.join(', then ')}
            </p>
          ))}
    </>
  )
}
