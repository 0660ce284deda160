import type { Account } from '../contract/accounts.ts'
import { hasRole } from '../contract/operation.ts'
import type { Me } from '../contract/operators.ts'
import type { PaymentRouteList, PointOfSale } from '../contract/points-of-sale.ts'
import type { FailingReports } from '../contract/failing-reports.ts'
import { ActionLink } from './action.tsx'
import type { Answer } from './api.ts'
import { shownOnce, onceHeaders, ShownOnce } from './once.tsx'
import { Answered, Code, Empty, Fact, Theirs, Time, problemView } from './parts.tsx'
import { PosState } from './points-of-sale.tsx'
import { FailingShops } from './reports.tsx'
import { RouteForm } from './route-action.tsx'
import type { Page, Visit } from './visit.ts'

/** Shows a point of sale, its keys, and the accounts that take its payments. */
export const posPage: Page = async (visit) => {
  const id = visit.params['id'] ?? ''
  const [list, routes, accounts, failing, once] = await Promise.all([
    visit.api('listPointsOfSale'),
    visit.api('listPaymentRoutes', { params: { id } }),
    visit.api('listAccounts'),
    visit.api('listFailingReports', { query: { pos: id, limit: '1' } }),
    shownOnce(visit),
  ])
  const pos = list.ok ? list.value.pointsOfSale.find((one) => one.id === id) : undefined
  if (!pos) {
    const problem = list.ok
      ? { status: 404, code: 'pos-not-found', detail: `There is no point of sale ${id}.` }
      : list.problem
    return () => problemView('This point of sale cannot be shown', problem)
  }
  return (me) => ({
    title: pos.name,
    headers: onceHeaders(visit, once),
    body: (
      <>
        <Head pos={pos} me={me} />
        <Failing answer={failing} me={me} visit={visit} />
        <ShownOnce once={once} />
        <div class="sides">
          <section class="card">
            <h2>Routes</h2>
            {pos.mode === 'test' ? (
              <p class="soft">In test mode the built-in sandbox takes every payment.</p>
            ) : (
              <Answered answer={routes} name="Routes">
                {(found) => (
                  <Answered answer={accounts} name="Accounts">
                    {(known) => <Routes found={found} accounts={known.accounts} me={me} />}
                  </Answered>
                )}
              </Answered>
            )}
          </section>
          <div>
            <Facts pos={pos} me={me} visit={visit} />
            <Keys pos={pos} me={me} />
          </div>
        </div>
      </>
    ),
  })
}

function Head({ pos, me }: { pos: PointOfSale; me: Me }) {
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
        <ActionLink me={me} does="changePointOfSale" href={`/console/points-of-sale/${pos.id}/rename`}>
          Rename
        </ActionLink>
        {pos.disabled === null ? (
          <ActionLink
            me={me}
            does="disablePointOfSale"
            href={`/console/points-of-sale/${pos.id}/disable`}
            kind="danger"
          >
            Disable
          </ActionLink>
        ) : (
          <ActionLink me={me} does="enablePointOfSale" href={`/console/points-of-sale/${pos.id}/enable`}>
            Enable
          </ActionLink>
        )}
      </p>
    </div>
  )
}

/** Says what a shop has not been told, and offers to tell it. */
function Failing({ answer, me, visit }: { answer: Answer<FailingReports>; me: Me; visit: Visit }) {
  if (answer.ok && answer.value.shops.length === 0) return null
  return (
    <section class="card failing" aria-labelledby="failing">
      <h2 id="failing">Its reports fail</h2>
      <Answered answer={answer} name="Reports">
        {({ shops }) => (
          <>
            <ul class="rows">
              <FailingShops shops={shops} visit={visit} />
            </ul>
            {shops.map(({ pos }) => (
              <p key={pos} class="buttons">
                <a class="button" href={`/console/payments?pos=${pos}&failing=1`}>
                  Its payments whose report fails
                </a>
                <ActionLink me={me} does="resendReportsOfShop" href={`/console/points-of-sale/${pos}/resend`}>
                  Send all again
                </ActionLink>
              </p>
            ))}
          </>
        )}
      </Answered>
    </section>
  )
}

function Facts({ pos, me, visit }: { pos: PointOfSale; me: Me; visit: Visit }) {
  return (
    <section class="card">
      <h2>Details</h2>
      <dl class="facts">
        <Fact name="Id">
          <Code>{pos.id}</Code>
        </Fact>
        <Fact name="Mode">{pos.mode === 'test' ? 'Test: no money moves' : 'Live'}</Fact>
        <Fact name="Dialect">{pos.dialect}</Fact>
        <Fact name="Signed returns">{pos.signReturn ? 'Yes' : 'No'}</Fact>
        <Fact name="Created">
          <Time at={pos.created} form="full" visit={visit} />
        </Fact>
        {pos.disabled !== null && (
          <Fact name="Disabled">
            <Time at={pos.disabled} form="full" visit={visit} />
          </Fact>
        )}
      </dl>
      {!hasRole(me, 'operator') && <p class="soft">Changes need the role operator.</p>}
    </section>
  )
}

function Keys({ pos, me }: { pos: PointOfSale; me: Me }) {
  return hasRole(me, 'operator') ? (
    <section class="card">
      <h2>Keys</h2>
      <p class="soft">To rotate the API key: make a new one, give it to the shop, then end the older ones.</p>
      <p class="buttons">
        <ActionLink me={me} does="addApiKey" href={`/console/points-of-sale/${pos.id}/key`}>
          New API key
        </ActionLink>
        <ActionLink
          me={me}
          does="revokeApiKeys"
          href={`/console/points-of-sale/${pos.id}/end-keys`}
          kind="danger"
        >
          End older keys
        </ActionLink>
        <ActionLink me={me} does="rotateSigningSecret" href={`/console/points-of-sale/${pos.id}/secret`}>
          New signing secret
        </ActionLink>
      </p>
    </section>
  ) : null
}

function Routes({ found, accounts, me }: { found: PaymentRouteList; accounts: readonly Account[]; me: Me }) {
  return (
    <>
      <p class="soft">
        The accounts that take a payment method, in the order in which they are tried. <code>*</code> is any
        method that has no route of its own. An account without a number is not tried.
      </p>
      {found.routes.length === 0 && (
        <Empty title="No routes">Until there is one, no payment can be announced.</Empty>
      )}
      {hasRole(me, 'operator')
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
