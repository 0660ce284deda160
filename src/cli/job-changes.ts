import { parseJobId } from '../contract/ids.ts'
import type { JobDetail } from '../contract/job-detail.ts'
import { option, word } from '../programs/program.ts'
import { UsageError } from '../programs/usage-error.ts'
import { count, hubCommand } from '../programs/hub-command.ts'
import { operationCommand } from './operation-command.ts'
import { detailOfJob, headOf, showJob } from './job.ts'
import { JOB, jobIdOf, searchedAccount } from './named.ts'
import { addUp, ask, askPages } from './operator-api.ts'
import { YES, confirm } from '../programs/prompt.ts'

export const cancel = operationCommand('cancelJob', {
  asks: async ({ id }) => [
    headOf(await detailOfJob(id)),
    'Stop this payment? The customer can no longer pay, and the hub reports it to the shop.',
  ],
  show: showJob,
})

export const clearMoney = operationCommand('clearMoney', {
  example: 'A-1001 --note "Collected at the counter"',
  show: showJob,
})

export const pull = operationCommand('pullJob', { show: showJob })

export const announce = hubCommand({
  does: 'announce a waiting payment to its PSP now, or with --account all payments that wait there',
  example: 'A-1001',
  args: {
    id: { ...JOB, required: false },
    account: option('ID', 'all payments that wait at this account, each by the present route of its shop'),
  },
  run: async ({ id, account }) => {
    if (id !== undefined && account === undefined) {
      await ask('announceJob', { params: { id: await jobIdOf(id) } })
      return { announced: 1, waiting: 0 }
    }
    if (id === undefined && account !== undefined)
      return addUp(askPages('announceJobs', { params: { id: await searchedAccount(account) } }))
    throw new UsageError('Say which: job announce ID, or job announce --account ID')
  },
  succeeds: ({ waiting }) => waiting === 0,
})

const OF_PERSON = {
  order: word('the order number that the person names, or the id of one payment job'),
  pos: option('SHOP', 'of this point of sale: its id, or its name if no other has it'),
}

type Named = { order: string; pos: string | undefined }

/** Returns all payment jobs of an order number. Throws a UsageError for none. */
async function jobsOf({ order, pos }: Named): Promise<JobDetail[]> {
  if (parseJobId(order) !== null) return [await detailOfJob(order)]
  const { jobs } = await addUp(askPages('searchJobs', { query: { order_number: order, pos } }))
  if (jobs.length === 0)
    throw new UsageError(`There is no payment job of order ${order}. The index may be some seconds behind.`)
  const all: JobDetail[] = []
  for (const { id } of jobs) all.push(await detailOfJob(id))
  return all
}

export const erase = hubCommand({
  does: "erase the customer's personal data of a payment, or of all payments of an order number",
  example: 'A-1001 --pos "Shop 1"',
  args: { ...OF_PERSON, ...YES },
  run: async ({ yes, ...named }) => {
    const all = await jobsOf(named)
    const question = 'Erase what the hub knows of the customer? This cannot be undone.'
    await confirm([...all.map(headOf), question].join('\n'), yes)
    const erased = []
    for (const { paymentJob } of all) erased.push(await ask('eraseJob', { params: { id: paymentJob } }))
    return { jobs: erased }
  },
})

export const exportPerson = hubCommand({
  does: 'gather everything that the hub knows about an order number, for the person who asks for it',
  example: 'A-1001 --json > A-1001.json',
  args: OF_PERSON,
  run: async (named) => {
    const known = []
    for (const job of await jobsOf(named)) {
      const of = { params: { id: job.paymentJob } }
      const [personal, journal] = await Promise.all([ask('showPersonal', of), ask('showJournal', of)])
      known.push({ job, ipAddress: personal.ipAddress, journal: journal.entries })
    }
    return { order: named.order, jobs: known }
  },
  show: ({ jobs }, view) => [
    view.list('', jobs, [
      ['created', ({ job }) => job.created],
      ['payment job', ({ job }) => job.paymentJob],
      ['shop', ({ job }) => job.posName],
      ['status', ({ job }) => job.status],
      ['paid', ({ job }) => `${job.currency} ${job.amountPaid}`],
      ['account', ({ job }) => job.account],
      ['reference', ({ job }) => job.reference],
      ['language', ({ job }) => job.language],
      ['IP address', ({ ipAddress }) => (ipAddress === '' ? 'none sent' : (ipAddress ?? 'erased'))],
    ]),
    '',
    `${count(jobs.length, 'payment', 'payments')}. With --json each has its journal too.`,
  ],
})
