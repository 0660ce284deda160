import { ActionLink } from './action.tsx'
import { Answered, Empty, Pill, Table, TestMark, Theirs, Time } from './parts.tsx'
import type { Page } from './visit.ts'

/** The points of sale, oldest first. */
export const posListPage: Page = async (visit) => {
  const found = await visit.api.pointsOfSale()
  return (me) => ({
    title: 'Points of sale',
    section: 'points-of-sale',
    ...(found.ok ? {} : { status: found.problem.status }),
    body: (
      <>
        <div class="head">
          <h1>Points of sale</h1>
          <ActionLink me={me} role="operator" href="/console/points-of-sale/new" kind="first">
            New point of sale
          </ActionLink>
        </div>
        <Answered answer={found}>
          {({ pointsOfSale }) =>
            pointsOfSale.length === 0 ? (
              <Empty title="No points of sale yet">A till or a web shop needs one: it has the API key.</Empty>
            ) : (
              <Table
                label="Points of sale"
                head={
                  <>
                    <th scope="col">Name</th>
                    <th scope="col">State</th>
                    <th scope="col" class="wide">
                      Id
                    </th>
                    <th scope="col" class="wide number">
                      Created
                    </th>
                  </>
                }
              >
                {pointsOfSale.map(({ id, name, mode, disabled, created }) => (
                  <tr key={id} class="link">
                    <th scope="row" class="any">
                      <a href={`/console/points-of-sale/${id}`} data-row>
                        <Theirs>{name}</Theirs>
                      </a>
                    </th>
                    <td>
                      <span class="pills">
                        {disabled === null ? (
                          <Pill tone="good">Enabled</Pill>
                        ) : (
                          <Pill tone="still">Disabled</Pill>
                        )}
                        {mode === 'test' && <TestMark />}
                      </span>
                    </td>
                    <td class="wide">
                      <code>{id}</code>
                    </td>
                    <td class="wide number">
                      <Time at={created} visit={visit} />
                    </td>
                  </tr>
                ))}
              </Table>
            )
          }
        </Answered>
      </>
    ),
  })
}
