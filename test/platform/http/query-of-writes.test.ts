import { env } from 'cloudflare:workers'
import { beforeAll, expect, it } from 'vitest'
import { OPERATOR_OPERATIONS } from '../../../src/contract/operator-operations.ts'
import type { Operation } from '../../../src/contract/operation.ts'
import { POS_OPERATIONS } from '../../../src/contract/pos-operations.ts'
import { askWith, create, createJob, makePos, order, readJob, tokenFor } from '../../support/hub/hub.ts'

const WRITES = Object.entries<Operation>({ ...POS_OPERATIONS, ...OPERATOR_OPERATIONS }).filter(
  ([, { method }]) => method !== 'GET',
)

let token: string
let job: string
beforeAll(async () => {
  token = await tokenFor(await makePos())
  job = (await createJob(token)).paymentJob
})

it.each(WRITES)(
  '%s refuses a parameter that it does not have, by its name',
  async (_, { path, credentials }) => {
    const isPos = credentials.includes('accessToken')
    const address = path.replace(':id', job).replace(':month', '2026-01').replaceAll(/:\w+/g, '2026-01-31')
    for (const query of ['amount=1.00', 'final=', 'x=1']) {
      const answer = await askWith(isPos ? token : env.OPERATOR_TOKEN, 'POST', `${address}?${query}`, {})
      const text = await answer.text()
      expect([answer.status, text]).toEqual([422, expect.stringContaining(query.split('=')[0] ?? '')])
    }
    expect(await readJob(token, job)).toMatchObject({ status: 'PENDING' })
  },
)

it('a client of v1 may add parameters to the address of a create, as some do', async () => {
  const { apiKey } = await makePos({ dialect: 'v1' })
  expect((await askWith(apiKey, 'POST', '/api/v1/paymentjobs/?testmode=true&amount=1', order)).status).toBe(
    201,
  )
  expect((await create(token, order)).status).toBe(201)
})
