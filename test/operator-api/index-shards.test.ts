import { env } from 'cloudflare:workers'
import { beforeAll, expect, it, vi } from 'vitest'
import { operatorApi } from '../../src/operator-api/routes.ts'
import { ORIGIN, createJob, makePos, tokenFor } from '../support/hub/hub.ts'
import { SHARDED, openShards, placesOf } from '../support/hub/shards.ts'

beforeAll(openShards)

/** Sends a request to a hub whose index is spread over several databases. */
async function operate(method: string, path: string): Promise<unknown> {
  const headers = { authorization: `Bearer ${env.OPERATOR_TOKEN}` }
  const request = new Request(`${ORIGIN}/operator/v1${path}`, { method, headers })
  return (await operatorApi(request, SHARDED)).json()
}

it('a rebuilt index has each row in its shard, and is right then', async () => {
  // No other file has jobs on this day.
  const day = '2035-03-04'
  vi.setSystemTime(Date.parse(`${day}T12:00:00Z`))
  const tokens = await Promise.all(Array.from({ length: 8 }, async () => tokenFor(await makePos())))
  const ids = await Promise.all(tokens.map(async (token) => (await createJob(token)).paymentJob))
  await expect.poll(() => Promise.all(ids.map(placesOf)), { timeout: 15_000 }).toEqual(ids.map(() => ['DB']))
  const right = { jobs: ids.length, wrong: [], wrongHours: [], next: null }
  expect(await operate('GET', `/index/${day}/verify`)).toMatchObject({
    wrong: expect.arrayContaining(ids) as string[],
  })
  expect(await operate('POST', `/index/${day}/rebuild`)).toEqual(right)
  expect(await operate('GET', `/index/${day}/verify`)).toEqual(right)
  const places = (await Promise.all(ids.map(placesOf))).flat().filter((place) => place !== 'DB')
  expect(places).toHaveLength(ids.length)
})
