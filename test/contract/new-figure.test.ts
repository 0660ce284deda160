import { getTableColumns } from 'drizzle-orm'
import { beforeAll, expect, it } from 'vitest'
import { FIGURES } from '../../src/contract/money-figures.ts'

/** All that a developer writes to add a figure, apart from the migration for its column. */
const ROW = {
  api: 'amountDonated',
  about: 'The money that the customer gave to a good cause.',
  word: 'donated',
  inTrace: true,
  column: 'donated',
  mood: 'still',
  search: 'Of which money was donated.',
}

beforeAll(async () => {
  Object.assign(FIGURES, { donated: ROW })
  const { SUMS } = await import('../../src/job/core/sums.ts')
  const { paidOf } = await import('../../src/job/core/money.ts')
  Object.assign(SUMS, { donated: (state: Parameters<typeof paidOf>[0]) => paidOf(state) / 10 })
})

async function paidState() {
  const { playedJob, AMOUNT, seen } = await import('../support/jobs/played-job.ts')
  const job = playedJob()
  job.hears('duty', { answer: seen('SUCCESS', AMOUNT) })
  return job.state
}

it('a new figure is in the answer, in the steps, and at the end of their hashed lines', async () => {
  const { represent } = await import('../../src/job/core/show.ts')
  const { PaymentJob, traceLine } = await import('../../src/contract/payment-job.ts')
  const job = represent(await paidState())
  const step = job.payments.steps.at(-1)
  for (const one of [job, job.payments, step]) expect(one).toMatchObject({ amountDonated: '1.25' })
  expect(job.payments.steps[0]).not.toHaveProperty('amountDonated')
  expect(step && traceLine(step)).toMatch(/\|amountDonated=1\.25$/)
  expect(PaymentJob.entries).toHaveProperty('amountDonated')
})

it('a new figure is in the row of the index, in its table, and last in exports, and a search finds it', async () => {
  const { rowOf, seenIn } = await import('../../src/job/core/row.ts')
  const { jobs } = await import('../../src/job-index/schema.ts')
  const { ListedJob, SEARCH } = await import('../../src/contract/job-search.ts')
  const row = rowOf(await paidState())
  expect(row).toMatchObject({ donated: 125 })
  expect(seenIn(row)).toContain('"donated":125')
  expect(seenIn({ ...row, donated: 0 } as never)).not.toContain('donated')
  expect(getTableColumns(jobs)).toMatchObject({ donated: { name: 'donated', notNull: true } })
  expect(Object.keys(ListedJob.entries).at(-1)).toBe('donated')
  expect(SEARCH).toHaveProperty('donated')
})

it('people read of a new figure: operators in the CLI and the console, developers in the kit', async () => {
  const { showJob } = await import('../../src/cli/job.ts')
  const { textOf, viewOf } = await import('../../src/programs/view.ts')
  const { JOB } = await import('../cli/sample-answers.ts')
  const text = textOf(showJob({ ...JOB, ...{ amountDonated: '1.25' } }, viewOf(process.stdout, true)))
  expect(text).toMatch(/^donated +EUR 1\.25$/m)
  expect(text).toMatch(/^Order .* 1\.25 donated/)

  const { get } = await import('../console/console-client.ts')
  const { operatorApiDouble } = await import('../console/operator-api-double.ts')
  const { onePaymentAnswer } = await import('../console/answers/payment.ts')
  const { JOB: id } = await import('../console/answers/world.ts')
  const known = onePaymentAnswer({ now: Date.now(), role: 'operator', todo: 'nothing' })[
    `GET /jobs/${id}`
  ] as object
  const answers = { [`GET /jobs/${id}`]: { ...known, amountDonated: '1.25' } }
  const page = await get(`/console/payments/${id}`, operatorApiDouble({ answers }))
  expect(await page.text()).toMatch(/Donated.*?€1\.25/s)

  const { standingOf } = await import('../../src/kit/payment.ts')
  const reported = { orderNumber: 'A-1', status: 'SUCCESS', currency: 'EUR', amountPaid: '12.50' }
  expect(standingOf({ ...reported, ...{ amountDonated: '1.25' } })).toBe('SUCCESS, 1.25 donated')
})
