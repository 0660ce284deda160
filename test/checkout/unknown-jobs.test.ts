import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { isMarkedId } from '../../src/platform/crypto/signing.ts'
import {
  type JobJson,
  create,
  createJob,
  makePos,
  order,
  send,
  tokenFor,
  linkIn,
} from '../support/hub/hub.ts'

const NETWORK = '203.0.113.7'

function visit(id: string, what = 'pay') {
  return send(`/${what}/${id}`, { headers: { 'cf-connecting-ip': NETWORK } })
}

/** Tells whether the object of an id was requested. Jobs of other tests go on in the meantime. */
function askedObjects() {
  const spy = vi.spyOn(env.PAYMENT_JOB, 'getByName')
  return (id: string) => spy.mock.calls.some(([name]) => name === id)
}

async function keyedJob(): Promise<JobJson> {
  const key = { 'idempotency-key': crypto.randomUUID() }
  return (await create(await tokenFor(await makePos()), order, key)).json<JobJson>()
}
async function unkeyedJob(): Promise<JobJson> {
  return createJob(await tokenFor(await makePos()))
}

describe.each([
  ['with an Idempotency-Key', keyedJob, '8'],
  ['without one', unkeyedJob, '4'],
])('the id of a job %s', (_, make, version) => {
  it('is a UUID, whose addresses carry the mark of this hub, and of no other', async () => {
    const { paymentJob: id, payUrl } = await make()
    expect(id).toMatch(
      new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`),
    )
    const link = linkIn({ payUrl })
    expect(link.startsWith(`${id}.`)).toBe(true)
    expect(await isMarkedId(env.SIGNING_ROOT, link)).toBe(true)
    expect(await isMarkedId('another root of another hub of 32', link)).toBe(false)
    const [first, last] = [id.startsWith('0') ? '1' : '0', link.endsWith('0') ? '1' : '0']
    expect(await isMarkedId(env.SIGNING_ROOT, link.slice(0, -1) + last)).toBe(false)
    expect(await isMarkedId(env.SIGNING_ROOT, first + link.slice(1))).toBe(false)
  })

  it('lets its customer pay and come back while neighbours invent ids', async () => {
    const exhausted = async () => ({ success: false })
    vi.spyOn(env.UNKNOWN_JOBS_PER_ADDRESS, 'limit').mockImplementation(exhausted)
    vi.spyOn(env.UNKNOWN_RETURNS_PER_ADDRESS, 'limit').mockImplementation(exhausted)
    const { paymentJob: id, payUrl } = await make()
    const link = linkIn({ payUrl })
    expect((await visit(link)).status).toBe(303)
    expect((await visit(link.toUpperCase())).status).toBe(303)
    expect((await visit(link, 'return')).status).toBe(200)
    expect((await visit(link, 'receipt')).status).toBe(200)
    expect((await visit(id)).status).toBe(429)
    expect((await visit(crypto.randomUUID())).status).toBe(429)
    expect((await visit(crypto.randomUUID(), 'return')).status).toBe(429)
  })

  it('also leads its customer on without the mark, while no neighbour invents ids', async () => {
    const { paymentJob: id } = await make()
    expect((await visit(id)).status).toBe(303)
  })
})

describe('a payment that does not exist', () => {
  it('is not found, and counts for its network', async () => {
    const counted = vi.spyOn(env.UNKNOWN_JOBS_PER_ADDRESS, 'limit')
    const returned = vi.spyOn(env.UNKNOWN_RETURNS_PER_ADDRESS, 'limit')
    expect((await visit(crypto.randomUUID())).status).toBe(404)
    expect(counted).toHaveBeenCalledWith({ key: `pay ${NETWORK}` })
    expect(returned).not.toHaveBeenCalled()
    expect((await visit(crypto.randomUUID(), 'return')).status).toBe(404)
    expect(returned).toHaveBeenCalledWith({ key: `return ${NETWORK}` })
  })

  it.each([
    ['pay', 'UNKNOWN_JOBS_PER_ADDRESS'],
    ['return', 'UNKNOWN_RETURNS_PER_ADDRESS'],
  ] as const)(
    'above the limit of /%s starts no object, and says when to come back',
    async (what, binding) => {
      vi.spyOn(env[binding], 'limit').mockResolvedValue({ success: false })
      const asked = askedObjects()
      const id = crypto.randomUUID()
      const refused = await visit(id, what)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60'])
      expect(refused.headers.get('content-type')).toMatch(/^text\/html/)
      expect(asked(id)).toBe(false)
    },
  )
})
