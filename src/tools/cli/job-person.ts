import { parseJobId } from '../../contract/ids.ts'
import type { JobDetail } from '../../contract/jobs.ts'
import { option, word } from '../program.ts'
import { count, hubCommand } from './hub-command.ts'
import { detailOfJob, headOf } from './job.ts'
import { addUp, ask, askPages } from './operator-api.ts'
import { YES, confirm } from './prompt.ts'

const OF_PERSON = {
  order: word('the order number that the person names, or the id of one payment job'),
  pos: option('SHOP', 'of this point of sale: its id, or its name if no other has that name'),
}

type Named = { order: string; pos: string | undefined }

/** All payment jobs of an order number. An Error tells that there are none. */
async function jobsOf({ order, pos }: Named): Promise<JobDetail[]> {
  if (parseJobId(order) !== null) return [await detailOfJob(order)]
  const { jobs } = await addUp(askPages('searchJobs', { query: { order_number: order, pos } }))
  if (jobs.length === 0)
    throw new Error(`There is no payment job of order ${order}. The index may be some seconds behind.`)
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
    const question = 'Erase what the hub knows of the customer? Nobody can bring it back.'
    await confirm([...all.map(headOf), question].join('\n'), yes)
    const erased = []
    for (const { paymentJob } of all) erased.push(await ask('eraseJob', { params: { id: paymentJob } }))
    return { jobs: erased }
  },
  show: ({ jobs }) =>
    jobs.map(
      ({ paymentJob, erased }) => `${paymentJob}: ${erased ? 'erased' : 'nothing was left to erase'}.`,
    ),
})

export const exportPerson = hubCommand({
  does: 'gather all that the hub knows about an order number, for the person who asks for it',
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
      ['IP address', ({ ipAddress }) => ipAddress ?? 'erased'],
    ]),
    '',
    `${count(jobs.length, 'payment', 'payments')}. With --json each has its journal besides.`,
  ],
})
