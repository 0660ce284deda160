import type { Account } from '../contract/accounts.ts'
import type { AccountHealth } from '../contract/hub-health.ts'
import { ActionLink } from './action.tsx'
import { waitingText } from './formats.ts'
import { Answered, Empty, Head, StatePill, TestMark, Theirs, Time } from './parts.tsx'
import type { Page } from './visit.ts'

/** Lists the accounts at PSPs and their health. */
export const accountsPage: Page = async (visit) => {
  const [found, health] = await Promise.all([visit.api('listAccounts'), visit.api('showHubHealth')])
  const states = new Map(health.ok ? health.value.accounts.map((one) => [one.account, one]) : [])
  return {
    title: 'Accounts',
    ...(found.ok ? {} : { status: found.problem.status }),
    body: (
      <>
        <Head title="Accounts">
          <ActionLink does="addAccount" kind="first" text="Add account" />
        </Head>
        {!health.ok && (
          <Answered answer={health} name="Health of the accounts">
            {() => null}
          </Answered>
        )}
        <Answered answer={found}>
          {({ accounts }) =>
            accounts.length === 0 ? (
              <Empty title="No accounts yet">
                Points of sale in test mode need none: the sandbox is built in. Live ones need an account at a
                PSP.
              </Empty>
            ) : (
              <ul class="cards">
                {accounts.map((account) => (
                  <AccountCard key={account.id} account={account} health={states.get(account.id)} />
                ))}
              </ul>
            )
          }
        </Answered>
      </>
    ),
  }
}

function AccountCard({
  account: { id, psp, mode, created },
  health,
}: {
  account: Account
  health: AccountHealth | undefined
}) {
  return (
    <li class="card">
      <div class="what">
        <h2>{id}</h2>
        <StatePill state={health?.state ?? 'unknown'} />
        {mode === 'test' && <TestMark />}
      </div>
      <p class="soft">
        {psp} · added <Time at={created} />
        {health?.checked && (
          <>
            {' '}
            · looked at <Time at={health.checked} />
          </>
        )}
      </p>
      {health?.message && (
        <p>
          <Theirs>{health.message}</Theirs>
        </p>
      )}
      {health?.notifications.state === 'missing' && (
        <p class="bad">It has paid payments, and no notification ever came: hub psp webhook {id}</p>
      )}
      {health?.notifications.state === 'refused' && (
        <p class="bad">Its notifications have a wrong signature: compare its HMAC key or signing secret.</p>
      )}
      {health && health.waiting > 0 && <p class="bad">{waitingText(health.waiting)}</p>}
      <p class="buttons">
        <a class="button small" href={`/console/payments?account=${encodeURIComponent(id)}`}>
          Payments
        </a>
        <ActionLink does="checkAccount" id={id} kind="small" text="Check" />
        <ActionLink does="replaceCredentials" id={id} kind="small" text="New credentials" />
        <ActionLink does="removeAccount" id={id} kind="small" text="Remove" />
      </p>
    </li>
  )
}

/** Lists the PSPs that the hub supports. */
export const newAccountPage: Page = async (visit) => {
  const found = await visit.api('listPsps')
  return {
    title: 'Add account',
    body: (
      <>
        <h1>Add account</h1>
        <p>At which PSP is it?</p>
        <Answered answer={found}>
          {({ psps }) => (
            <ul class="choices tall">
              {psps.map(({ psp }) => (
                <li key={psp}>
                  <a class="button" href={`/console/accounts/new/${psp}`}>
                    {psp}
                  </a>
                </li>
              ))}
            </ul>
          )}
        </Answered>
      </>
    ),
  }
}
