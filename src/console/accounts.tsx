import type { Account, CredentialField } from '../contract/accounts.ts'
import { liveFirst } from '../contract/values.ts'
import type { AccountHealth } from '../contract/hub-health.ts'
import { ActionLink, type Values, action, idOf } from './action.tsx'
import { pageByPage, type ApiAnswer, type Api, refused } from './api.ts'
import { waitingText } from './formats.ts'
import { AnswerView, Empty, Head, NotShown, Pill, StatePill, TestMark, Theirs, Time } from './parts.tsx'
import type { ConsolePage } from './visit.ts'
import { Choice, TextField } from './form.tsx'

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

export const newAccountPage: ConsolePage = async (visit) => {
  const found = await visit.api('listPsps')
  return {
    title: 'Add account',
    body: (
      <>
        <h1>Add account</h1>
        <p>Which PSP is it at?</p>
        <AnswerView answer={found}>
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
        </AnswerView>
      </>
    ),
  }
}

const PREFIX = 'credential.'
const MODES = [
  ['test', "Test: the PSP's own test environment"],
  ['live', 'Live'],
] as const

async function fieldsOf(api: Api, psp: string): Promise<ApiAnswer<readonly CredentialField[]>> {
  const found = await api('listPsps')
  if (!found.ok) return found
  const one = found.value.psps.find((known) => known.psp === psp)
  if (one) return { ok: true, value: one.credentials }
  return refused(`There is no PSP ${psp}.`, 404)
}

function Credentials({ fields }: { fields: readonly CredentialField[] }) {
  return (
    <>
      {fields.map(({ name, description, optional }) => (
        <TextField
          key={name}
          label={name}
          hint={optional ? `${description} (optional)` : description}
          type="password"
          name={PREFIX + name}
          required={!optional}
        />
      ))}
    </>
  )
}

function credentialsOf(values: Values): Record<string, string> {
  return Object.fromEntries(
    values
      .entries()
      .filter(([name, value]) => name.startsWith(PREFIX) && value !== '')
      .map(([name, value]) => [name.slice(PREFIX.length), value]),
  )
}

export const add = action({
  does: 'addAccount',
  back: '/console/accounts/new',
  ask: async ({ api, params }, values) => {
    const psp = params['psp'] ?? ''
    const fields = await fieldsOf(api, psp)
    if (!fields.ok) return fields
    return {
      title: `Add an account at ${psp}`,
      body: (
        <>
          <TextField
            label="Name"
            hint="Its name in routes: lower-case letters, digits and hyphens."
            name="id"
            required
            maxLength={40}
            autofocus
            value={values.get('id')}
          />
          <Choice label="Mode" name="mode" value={values.get('mode') || 'test'} options={MODES} />
          <Currencies value={values.get('currencies')} />
          <Credentials fields={fields.value} />
        </>
      ),
      button: 'Add account',
    }
  },
  body: (values, { params }) => ({
    id: values.get('id'),
    psp: params['psp'],
    mode: values.get('mode'),
    currencies: currenciesOf(values),
    credentials: credentialsOf(values),
  }),
})

function Currencies({ value }: { value: string }) {
  return (
    <TextField
      label="Currencies"
      hint="For example EUR, USD. If empty: every currency that the PSP takes."
      name="currencies"
      value={value}
    />
  )
}

/** Returns the currencies for the API; null means any. */
function currenciesOf(values: Values): string[] | null {
  const codes = values.get('currencies').split(/[\s,]+/)
  const given = codes.filter((code) => code !== '').map((code) => code.toUpperCase())
  return given.length > 0 ? given : null
}

export const currencies = action({
  does: 'changeCurrencies',
  ask: async (visit, values) => {
    const found = await visit.api('listAccounts')
    if (!found.ok) return found
    const id = idOf(visit)
    const taken = found.value.accounts.find((account) => account.id === id)?.currencies ?? []
    return {
      title: `Currencies of ${id}`,
      body: (
        <>
          <p>
            Orders in other currencies go to the next account of their route. If there is none, the hub
            refuses them.
          </p>
          <Currencies value={values.get('currencies') || taken.join(', ')} />
        </>
      ),
      button: 'Change currencies',
    }
  },
  body: (values) => ({ currencies: currenciesOf(values) }),
})

export const check = action({
  does: 'checkAccount',
  ask: (visit) => ({
    title: `Check ${idOf(visit)}`,
    body: 'The hub asks the PSP whether the credentials work. Nothing changes at the PSP.',
    button: 'Check the account',
  }),
  outcome: ({ result }) => result,
})

/** Announces the payments that wait at an account, as many as `pageByPage` covers. */
export const announceAll = action({
  does: 'announceJobs',
  ask: (visit) => ({
    title: `Announce all payments that wait at ${idOf(visit)}`,
    body: 'The hub uses the route that the shop of each payment has now, so another account may take it.',
    button: 'Announce all payments',
  }),
  send: (visit) =>
    pageByPage((after) => visit.api('announceJobs', { params: { id: idOf(visit) }, query: { after } })),
})

export const rekey = action({
  does: 'replaceCredentials',
  ask: async (visit) => {
    const accounts = await visit.api('listAccounts')
    if (!accounts.ok) return accounts
    const id = idOf(visit)
    const account = accounts.value.accounts.find((one) => one.id === id)
    const fields = await fieldsOf(visit.api, account?.psp ?? '')
    if (!account || !fields.ok) return refused(`There is no account ${id}.`, 404)
    return {
      title: `New credentials for ${id}`,
      body: (
        <>
          <p>They replace the credentials that the account has now. Its routes and payments stay.</p>
          <Credentials fields={fields.value} />
        </>
      ),
      button: 'Replace credentials',
    }
  },
  body: (values) => ({ credentials: credentialsOf(values) }),
})

export const remove = action({
  does: 'removeAccount',
  ask: (visit) => ({
    title: `Remove ${idOf(visit)}`,
    body:
      'The hub deletes its credentials. It refuses to do so while a route leads to the account, or the ' +
      'account has open payments.',
    button: 'Remove account',
    isFinal: true,
  }),
})
