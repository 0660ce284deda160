import type { Page, Route } from 'playwright-core'
import type { PaymentJob } from '../../src/contract/payment-job.ts'
import type { Terminal } from '../../src/contract/terminals.ts'

export const COUNTER = { id: 'counter', name: 'Counter', isDefault: true, isOn: true, busyWith: null }
export const TERRACE = { id: 'terrace', name: 'A terrace', isDefault: false, isOn: null, busyWith: null }

type Placed = { key: string; order: Record<string, string> }
type JobChanges = Partial<
  Pick<PaymentJob, 'status' | 'amountPaid' | 'amountTip' | 'card' | 'error' | 'alsoPaidBy'>
> & {
  state?: NonNullable<PaymentJob['terminal']>['state']
  knownBy?: string
}

const ID = '0c2f7a5e-3d4b-4c1a-9f00-5a6b7c8d9e0f'
const AT = '2026-03-04T10:00:00.000000Z'

/**
 * Plays the hub's answers about terminals and one job to a till's page. The test sets the job's state, and
 * waiting reads end when it changes, as at the hub. `first`: the state of a new job.
 */
export async function playTerminals(
  page: Page,
  {
    terminals = [COUNTER, TERRACE],
    first = {},
  }: { terminals?: readonly Terminal[]; first?: JobChanges } = {},
) {
  const placed: Placed[] = []
  let cancels = 0
  let isMute = false
  let job: PaymentJob | null = null
  let revision = 0
  let changed = Promise.withResolvers<void>()

  const become = (changes: JobChanges): void => {
    job = jobOf(placed.at(-1), changes)
    revision += 1
    changed.resolve()
    changed = Promise.withResolvers()
  }
  const answer = (route: Route): Promise<void> => {
    const etag = `"${revision}"`
    const headers = { etag, 'preference-applied': 'wait=50' }
    const isKnown = route.request().headers()['if-none-match'] === etag
    return isKnown ? route.fulfill({ status: 304, headers }) : route.fulfill({ json: job, headers })
  }

  await page.route('**/v2/terminals', (route) => route.fulfill({ json: { terminals } }))
  await page.route('**/v2/paymentjobs', async (route) => {
    const request = route.request()
    placed.push({ key: request.headers()['idempotency-key'] ?? '', order: request.postDataJSON() })
    if (isMute) return
    if (job === null || job.status !== 'PENDING') become(first)
    await route.fulfill({ status: 201, json: job })
  })
  // The index has the job's first state.
  await page.route('**/v2/paymentjobs?*', (route) => {
    const paymentJobs = job === null ? [] : [{ ...jobOf(placed.at(-1), {}), amount: job.amountDue }]
    return route.fulfill({ json: { paymentJobs, next: null, lagSeconds: 5 } })
  })
  await page.route(`**/v2/paymentjobs/${ID}`, async (route) => {
    if (route.request().headers()['if-none-match'] === `"${revision}"`) await changed.promise
    await answer(route)
  })
  await page.route(`**/v2/paymentjobs/${ID}/refunds`, (route) => route.fulfill({ json: { refunds: [] } }))
  await page.route(`**/v2/paymentjobs/${ID}/cancel`, async (route) => {
    cancels += 1
    await route.fulfill({ json: job })
  })
  return {
    placed,
    /** The number of the till's requests to cancel. They do not change the job. */
    cancels: () => cancels,
    /** Sets the job's state. */
    become,
    /** Stops or resumes answering requests to create a job. */
    mute: (wanted: boolean) => {
      isMute = wanted
    },
  }
}

function jobOf(placed: Placed | undefined, changes: JobChanges): PaymentJob {
  const { status = 'PENDING', amountPaid = '0.00', state, knownBy, error = null, ...more } = changes
  const order = placed?.order ?? {}
  const amountDue = order['amount'] ?? ''
  const step = { creationDate: AT, action: 'Start', status, amountDue, amountPaid } as const
  return {
    paymentJob: ID,
    orderId: order['order_id'] ?? '',
    orderNumber: order['order_number'] ?? '',
    created: AT,
    lastUpdate: AT,
    language: 'en',
    currency: 'EUR',
    amountDue,
    amountPaid,
    paymentMethod: 'terminal',
    status,
    payUrl: `https://hub.example.com/pay/${ID}.0`,
    attributes: { returnUrl: '', reportUrl: order['report_url'] ?? '' },
    payments: { creationDate: AT, status, amountDue, amountPaid, steps: [step] },
    error,
    terminal: {
      id: order['terminal'] ?? '',
      state: state ?? (status === 'PENDING' ? 'starting' : 'ended'),
      ...(knownBy === undefined ? {} : { knownBy }),
    },
    ...more,
  }
}
