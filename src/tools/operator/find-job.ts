import { OperatorJobList } from '../../contract/jobs.ts'
import type { OperatorApi } from './operator-api.ts'

/** How an operator names a payment job. */
export const JOB = {
  type: 'positional',
  required: true,
  description: 'the payment job: its id, or its order number where no other job has that',
  valueHint: 'ID',
} as const

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The id of the payment job that an operator named. An Error tells where an order number names none, or several. */
export async function jobIdOf(api: OperatorApi, named: string): Promise<string> {
  if (ID.test(named)) return named
  const query = new URLSearchParams({ order_number: named, limit: '2' })
  const { jobs } = await api(OperatorJobList, 'GET', `/jobs?${query}`)
  const [job, other] = jobs
  if (!job)
    throw new Error(`There is no payment job of order ${named}. The index may be some seconds behind.`)
  if (other) throw new Error(`Several payment jobs are of order ${named}: see job list --order ${named}`)
  return job.id
}
