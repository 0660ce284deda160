import type { PointOfSale } from '../../contract/points-of-sale.ts'
import { changes, idOf } from '../plumbing/action.tsx'
import { ActionLink } from '../plumbing/question.tsx'
import { accountsOf, askRoute } from './route-action.tsx'
import { addedTerminals } from './terminals.tsx'
import { AnswerView, Empty, Head, Pill, Table, TestMark, Theirs, Time, To } from '../parts/parts.tsx'
import type { ConsolePage, Visit } from '../plumbing/visit.ts'

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

export const POS_CHANGES = [
  ...changes(LIST, {
    createPointOfSale: {
      at: ({ id }) => `${LIST}/${id}`,
      once: ({ apiKey, signingSecret }) => ({ 'API key': apiKey, 'Signing secret': signingSecret }),
    },
  }),
  ...changes(
    `${LIST}/:id`,
    {
      changePointOfSale: {},
      disablePointOfSale: {},
      enablePointOfSale: {},
      addApiKey: { once: ({ apiKey }) => ({ 'API key': apiKey }) },
      revokeApiKeys: {},
      rotateSigningSecret: {
        fields: () => ({ overlapHours: { value: '24' } }),
        once: ({ signingSecret }) => ({ 'Signing secret': signingSecret }),
      },
      setRefundPin: { once: ({ pin }) => (pin === null ? null : { 'PIN for refunds': pin }) },
      changePaymentRoute: {
        isAskedTwice: true,
        ask: askRoute,
        body: (values) => ({ accounts: accountsOf(values) }),
      },
      assignTerminal: { fields: (visit) => addedTerminals(visit) },
      resendReportsOfShop: {
        query: ({ now }, after) => ({ until: new Date(now).toISOString(), after }),
      },
    },
    nameOfPos,
  ),
]

/** Names a point of sale. */
async function nameOfPos(visit: Visit) {
  const found = await visit.api('showPointOfSale', { params: { id: idOf(visit) } })
  return found.ok ? (
    <b>
      <Theirs>{found.value.name}</Theirs>
    </b>
  ) : (
    found
  )
}
