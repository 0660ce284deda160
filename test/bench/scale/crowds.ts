import type { Client } from '../load.ts'
import { percentile } from '../percentiles.ts'
import type { Hub } from '../servers/hub.ts'
import { create, read } from '../tasks/api-tasks.ts'
import { createPayment, notify } from '../tasks/hub-tasks.ts'

const CROWD = 1000

/** How a thousand at once fared; `problem` is null when all was well. */
export type Crowd = {
  what: string
  clients: number
  seconds: number
  p50: number
  p99: number
  problem: string | null
}

type Props = { hub: Hub; order: string; deadline: AbortSignal }

/** A thousand notifications of one payment at once, of which the hub does not know yet that it is paid. */
export async function notifyAtOnce({ hub, order, deadline }: Props): Promise<Crowd> {
  const payment = await once(hub, deadline, (client) => createPayment(hub, client, order, 'paid'))
  const { latencies, seconds, firstError } = await hub.clients.drive(
    CROWD,
    CROWD,
    (_, client) => notify(client, payment.id, payment.reference),
    deadline,
  )
  const job = JSON.parse(await once(hub, deadline, (client) => read(hub, client, payment.id))) as {
    status: string
    payments: { steps: { action: string; status: string }[] }
  }
  const steps = job.payments.steps.map(({ action, status }) => `${action} ${status}`).join(', ')
  const problem =
    job.status !== 'SUCCESS' || steps !== 'Start PENDING, Statuspull SUCCESS'
      ? `the job is ${job.status}, its trace ${steps}`
      : firstError
  return { what: 'notifications of one job', clients: CROWD, seconds, ...latency(latencies), problem }
}

/** A thousand points of sale at once: each is added, gets its token, creates a job and reads it. */
export async function openShopsAtOnce({ hub, order, deadline }: Props): Promise<Crowd> {
  const { latencies, seconds, firstError } = await hub.clients.drive(
    CROWD,
    CROWD,
    async (turn, client) => {
      const added = await client(
        {
          method: 'POST',
          path: '/operator/v1/pos',
          headers: { authorization: `Bearer ${hub.operatorToken}`, 'content-type': 'application/json' },
          body: JSON.stringify({ name: `Shop ${turn}` }),
        },
        201,
      )
      const { apiKey } = JSON.parse(added.text) as { apiKey: string }
      const headers = { authorization: `Bearer ${apiKey}` }
      const granted = await client({ method: 'GET', path: '/v1/guardian', headers }, 200)
      const { token } = JSON.parse(granted.text) as { token: string }
      const { id } = await create({ token }, client, order)
      await read({ token }, client, id)
    },
    deadline,
  )
  const what = 'points of sale: added, token, create, read'
  return { what, clients: CROWD, seconds, ...latency(latencies), problem: firstError }
}

function latency(sorted: readonly number[]) {
  return {
    p50: percentile(sorted, 0.5),
    p99: percentile(sorted, 0.99),
  }
}

/** Does something with one client. Throws its error. */
async function once<Made>(
  hub: Hub,
  deadline: AbortSignal,
  work: (client: Client) => Promise<Made>,
): Promise<Made> {
  const made: Made[] = []
  const oneTurn = async (_: number, client: Client) => void made.push(await work(client))
  const { firstError } = await hub.clients.drive(1, 1, oneTurn, deadline)
  const [result] = made
  if (result === undefined) throw new Error(firstError ?? 'nothing was made')
  return result
}
