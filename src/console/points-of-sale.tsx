import { Right } from '../contract/key-limits.ts'
import { type PointOfSale, limitsIn } from '../contract/points-of-sale.ts'
import { ActionLink, action, filledIn } from './action.tsx'
import { Choice, EndField, NameField, TextField, Tick } from './form.tsx'
import { AnswerView, Empty, Head, Pill, Table, TestMark, Time, To } from './parts.tsx'
import type { ConsolePage } from './visit.ts'

const LIST = '/console/points-of-sale'

/** Lists the points of sale, oldest first. */
export const posListPage: ConsolePage = async (visit) => {
  const found = await visit.api('listPointsOfSale')
  return {
    title: 'Points of sale',
    ...(found.ok ? {} : { status: found.problem.status }),
    body: (
      <>
        <Head title="Points of sale">
          <ActionLink does="createPointOfSale" kind="first" text="New point of sale" />
        </Head>
        <AnswerView answer={found}>
          {({ pointsOfSale }) => (
            <Table
              label="Points of sale"
              row="link"
              rows={pointsOfSale}
              empty={
                <Empty title="No points of sale yet">Each till or web shop needs one, with an API key.</Empty>
              }
              columns={[
                {
                  name: 'Name',
                  class: 'any',
                  isName: true,
                  cell: ({ id, name }) => <To href={`${LIST}/${id}`} isRow text={name} />,
                },
                { name: 'State', cell: (pos) => <PosState pos={pos} /> },
                { name: 'Id', class: 'wide', cell: ({ id }) => <code>{id}</code> },
                { name: 'Created', class: 'wide number', cell: ({ created }) => <Time at={created} /> },
              ]}
            />
          )}
        </AnswerView>
      </>
    ),
  }
}

export function PosState({ pos: { disabled, mode } }: { pos: PointOfSale }) {
  return (
    <span class="pills">
      {disabled === null ? <Pill tone="good">Enabled</Pill> : <Pill tone="still">Disabled</Pill>}
      {mode === 'test' && <TestMark />}
    </span>
  )
}

const DIALECTS = [
  ['v2', 'v2: all clients except those below'],
  ['v1', "v1: PayoCity's PHP SDK before 1.0.3, and its WooCommerce plugin"],
] as const

const MODES = [
  ['test', 'Test: the sandbox takes its payments, no money moves'],
  ['live', 'Live'],
] as const

export const create = action({
  does: 'createPointOfSale',
  at: ({ id }) => `${LIST}/${id}`,
  ask: (_, values) => ({
    title: 'New point of sale',
    body: (
      <>
        <NameField hint="The shop's customers see it." value={values.get('name')} />
        <Choice
          label="Mode"
          hint="It cannot be changed later."
          name="mode"
          value={values.get('mode') || 'test'}
          options={MODES}
        />
        <Choice
          label="Dialect"
          hint="What the shop's client speaks."
          name="dialect"
          value={values.get('dialect') || 'v2'}
          options={DIALECTS}
        />
      </>
    ),
    button: 'Create the point of sale',
  }),
  once: ({ apiKey, signingSecret }) => ({ 'API key': apiKey, 'Signing secret': signingSecret }),
})

export const change = action({
  does: 'changePointOfSale',
  ask: (_, values) => ({
    title: 'Change the point of sale',
    body: (
      <>
        <p>Fill in only what changes.</p>
        <TextField
          label="New name"
          hint="The shop's customers see it."
          name="name"
          maxLength={100}
          value={values.get('name')}
        />
        <TextField
          label="Limit of refunds a day"
          hint="For each currency, such as EUR 500.00, USD 200.00; “none” takes the limit away. Refunds here in the console do not count."
          name="limit"
          value={values.get('limit')}
        />
      </>
    ),
  }),
  body: (values) => {
    const { name, limit } = filledIn(values)
    return { ...(name && { name }), ...(limit && { refundLimits: limitsIn(limit) }) }
  },
})

const RIGHTS = {
  create: 'Create payments',
  read: 'Read payments',
  capture: 'Capture and release reserved money',
  refund: 'Give money back',
  cancel: 'Cancel payments',
} as const satisfies Record<Right, string>

export const addKey = action({
  does: 'addApiKey',
  ask: (_, values) => ({
    title: 'New API key',
    body: (
      <>
        <p>The hub shows the new key only once. The older keys work until you end them.</p>
        <EndField value={values.get('expires')} />
        <fieldset>
          <legend>What it may do. Tick nothing for what the newest key may do.</legend>
          {Right.options.map((right) => (
            <Tick
              key={right}
              name={right}
              value="yes"
              isOn={values.get(right) !== ''}
              label={RIGHTS[right]}
            />
          ))}
        </fieldset>
      </>
    ),
    button: 'Make a new API key',
  }),
  body: (values) => {
    const can = Right.options.filter((right) => values.get(right) !== '')
    const expires = values.get('expires')
    return { ...(can.length === 0 ? {} : { can }), ...(expires === '' ? {} : { expires }) }
  },
  once: ({ apiKey }) => ({ 'API key': apiKey }),
})

export const endKeys = action({
  does: 'revokeApiKeys',
  ask: {
    title: 'End the older keys',
    body:
      'All API keys except the newest stop working, and so do all access tokens. A shop that still uses ' +
      'an older key can no longer create payments.',
    isFinal: true,
  },
})

export const rotateSecret = action({
  does: 'rotateSigningSecret',
  ask: (_, values) => ({
    title: 'New signing secret',
    body: (
      <>
        <p>
          The hub shows the new secret only once, and signs reports with it. For some hours it can also sign
          them with the previous secret.
        </p>
        <TextField
          label="Hours for which the previous secret still signs"
          hint="0 to 720."
          type="number"
          name="hours"
          min="0"
          max="720"
          value={values.get('hours') || '24'}
        />
      </>
    ),
    button: 'Make a new signing secret',
  }),
  body: (values) => (values.get('hours') === '' ? {} : { overlapHours: Number(values.get('hours')) }),
  once: ({ signingSecret }) => ({ 'Signing secret': signingSecret }),
})

export const setPin = action({
  does: 'setRefundPin',
  ask: (_, values) => ({
    title: 'PIN for refunds',
    body: (
      <>
        <p>
          With the PIN, a key without the right to give money back may do so. The till asks for it. The former
          PIN ends at once.
        </p>
        <TextField
          label="New PIN"
          hint="6 to 8 digits, or “none” to take the PIN away. Leave it empty, and the hub makes one."
          name="pin"
          value={values.get('pin')}
        />
      </>
    ),
    button: 'Set the PIN',
  }),
  once: ({ pin }) => (pin === null ? null : { 'PIN for refunds': pin }),
})

export const disable = action({
  does: 'disablePointOfSale',
  ask: {
    title: 'Disable the point of sale',
    body:
      'Its keys and tokens stop working within two minutes. The hub still finishes and reports open ' +
      'payments.',
    isFinal: true,
  },
})

export const enable = action({
  does: 'enablePointOfSale',
  ask: {
    title: 'Enable the point of sale',
    body: 'Its API keys work again at once. The shop needs a new access token, and gets it with its key.',
  },
})
