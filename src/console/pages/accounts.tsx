import type { VNode } from 'preact'
import { type Account, currenciesIn } from '../../contract/accounts.ts'
import { liveFirst } from '../../contract/values.ts'
import type { AccountHealth } from '../../contract/hub-health.ts'
import { Sure, changes } from '../plumbing/action.tsx'
import { type Api, type ApiAnswer, refused } from '../plumbing/api.ts'
import { ActionLink } from '../plumbing/question.tsx'
import type { Values } from '../plumbing/values.ts'
import { waitingText } from '../parts/formats.ts'
import {
  AnswerView,
  Empty,
  Head,
  NotShown,
  Pill,
  StatePill,
  TestMark,
  Theirs,
  Time,
} from '../parts/parts.tsx'
import type { ConsolePage, Visit } from '../plumbing/visit.ts'
import { TextField } from '../parts/form.tsx'

export const accountsPage: ConsolePage = async (visit) => {
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
        {!health.ok && <NotShown problem={health.problem} name="Account health" />}
        <AnswerView answer={found}>
          {({ accounts }) =>
            accounts.length === 0 ? (
              <Empty title="No accounts yet">
                Points of sale in test mode need none: the sandbox is built in. Live ones need an account at a
                PSP.
              </Empty>
            ) : (
              <ul class="cards">
                {accounts.toSorted(liveFirst).map((account) => (
                  <AccountCard key={account.id} account={account} health={states.get(account.id)} />
                ))}
              </ul>
            )
          }
        </AnswerView>
      </>
    ),
  }
}

type AccountCardProps = { account: Account; health: AccountHealth | undefined }

function AccountCard({ account: { id, psp, mode, currencies, created }, health }: AccountCardProps) {
  return (
    <li class="card" id={id}>
      <div class="what">
        <h2>{id}</h2>
        <StatePill state={health?.state ?? 'unknown'} />
        {mode === 'test' ? <TestMark /> : <Pill tone="note">Live</Pill>}
      </div>
      <p class="soft">
        {psp} · {currencies?.join(', ') ?? 'any currency'} · added <Time at={created} />
        {health?.checked && (
          <>
            {' '}
            · checked <Time at={health.checked} />
          </>
        )}
      </p>
      {health?.message && (
        <p>
          <Theirs>{health.message}</Theirs>
        </p>
      )}
      {health?.notifications.state === 'missing' && (
        <p class="bad">
          Customers have paid here, but no notification has ever come. Set up its webhook: hub psp webhook{' '}
          {id}
        </p>
      )}
      {health?.notifications.state === 'refused' && (
        <p class="bad">
          Its notifications have a wrong signature. Compare the HMAC key or signing secret with the PSP's.
        </p>
      )}
      {health && health.waiting > 0 && <p class="bad">{waitingText(health.waiting)}</p>}
      <p class="buttons">
        <a class="button small" href={`/console/payments?account=${encodeURIComponent(id)}`}>
          Payments
        </a>
        {health && health.waiting > 0 && (
          <ActionLink does="announceJobs" id={id} kind="small" text="Announce all" />
        )}
        <a class="button small" href={`/console/accounts/${encodeURIComponent(id)}/terminals`}>
          Terminals
        </a>
        <ActionLink does="checkAccount" id={id} kind="small" text="Check" />
        <ActionLink does="replaceCredentials" id={id} kind="small" text="New credentials" />
        <ActionLink does="changeCurrencies" id={id} kind="small" text="Currencies" />
        <ActionLink does="removeAccount" id={id} kind="small" text="Remove" />
      </p>
    </li>
  )
}

/** Returns the fields for the credentials of a PSP. */
async function credentialsOf(api: Api, psp: string): Promise<ApiAnswer<VNode>> {
  const found = await api('listPsps')
  if (!found.ok) return found
  const known = found.value.psps.find((one) => one.psp === psp)
  if (!known) return refused(`There is no PSP ${psp}.`, 404)
  const fields = known.credentials.map(({ name, description, optional }) => (
    <TextField
      key={name}
      label={name}
      hint={optional ? `${description} (optional)` : description}
      type="password"
      name={PREFIX + name}
      required={!optional}
    />
  ))
  return { ok: true, value: <>{fields}</> }
}

const PREFIX = 'credential.'

function credentialsIn(values: Values): Record<string, string> {
  const given = values.entries().filter(([name, value]) => name.startsWith(PREFIX) && value !== '')
  return Object.fromEntries(given.map(([name, value]) => [name.slice(PREFIX.length), value]))
}

const MODES = [
  ['test', "Test: the PSP's own test environment"],
  ['live', 'Live'],
] as const

async function accountOf({ api, params }: Visit): Promise<ApiAnswer<Account>> {
  const found = await api('listAccounts')
  if (!found.ok) return found
  const account = found.value.accounts.find(({ id }) => id === params['id'])
  return account ? { ok: true, value: account } : refused(`There is no account ${params['id']}.`, 404)
}

const NONE = { instead: null }

export const ACCOUNT_CHANGES = changes('/console/accounts', {
  addAccount: {
    // Which credentials it needs depends on its PSP.
    isAskedTwice: true,
    fields: async ({ api }, values) => {
      const psp = values.get('psp')
      if (psp === '') {
        const found = await api('listPsps')
        if (!found.ok) return found
        const options = found.value.psps.map((one) => [one.psp, one.psp] as const)
        return { psp: { options }, id: NONE, mode: NONE, currencies: NONE, credentials: NONE, endpoint: NONE }
      }
      const credentials = await credentialsOf(api, psp)
      return credentials.ok
        ? {
            sure: { instead: <Sure /> },
            mode: { options: MODES },
            psp: { instead: <input type="hidden" name="psp" value={psp} /> },
            credentials: { instead: credentials.value },
            endpoint: NONE,
          }
        : credentials
    },
    body: (values) => ({
      currencies: currenciesIn(values.get('currencies') || 'any'),
      credentials: credentialsIn(values),
    }),
  },
  checkAccount: {},
  announceJobs: { query: (_, after) => ({ after }) },
  replaceCredentials: {
    fields: async (visit) => {
      const account = await accountOf(visit)
      const credentials = account.ok ? await credentialsOf(visit.api, account.value.psp) : account
      return credentials.ok ? { credentials: { instead: credentials.value }, endpoint: NONE } : credentials
    },
    body: (values) => ({ credentials: credentialsIn(values) }),
  },
  changeCurrencies: {
    fields: async (visit) => {
      const account = await accountOf(visit)
      return account.ok ? { currencies: { value: account.value.currencies?.join(', ') ?? '' } } : account
    },
    body: (values) => ({ currencies: currenciesIn(values.get('currencies') || 'any') }),
  },
  removeAccount: {},
})
