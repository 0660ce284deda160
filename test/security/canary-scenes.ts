import { evictDurableObject, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { objectOf, referenceOf, ringNext, stored } from '../support/jobs/job.ts'
import { CANARIES, type Stage } from './canary-stage.ts'
import { pathOf } from './watched-world.ts'

/** A test-mode payment whose shop refuses the first report and repeats its address in the answer. */
export async function wholePayment(stage: Stage, token: string): Promise<void> {
  const { ask, world, create, read, untilTried } = stage
  world.shop = () => new Response(`no: ${CANARIES.reportQuery}`, { status: 500 })
  const { paymentJob } = await create(token)
  const checkout = pathOf(await ask(`/pay/${paymentJob}`))
  const chosen = await ask(checkout, { method: 'POST', body: new URLSearchParams({ outcome: 'paid' }) })
  await ask(pathOf(chosen))
  await untilTried(paymentJob)
  world.shop = () => new Response('ok')
  await ringNext(paymentJob)
  await read(token, paymentJob)
  await ask(`/pay/${paymentJob}`)
  await ask(`/receipt/${paymentJob}`)
}

function echo(request: Request): string {
  return `bad key: ${request.headers.get('authorization')}`
}

function problem(request: Request, status: number) {
  return {
    status,
    title: echo(request),
    detail: echo(request),
    field: echo(request),
  }
}

/** Every way in which a PSP may send the key back. */
const ECHOES: readonly ((request: Request) => Response)[] = [
  (request) => Response.json(problem(request, 401), { status: 401 }),
  (request) => Response.json(problem(request, 422), { status: 422 }),
  (request) => Response.json(problem(request, 500), { status: 500 }),
  (request) => new Response(echo(request)),
  (request) => Response.json({ ...problem(request, 200), id: echo(request) }),
  (request) => {
    throw new TypeError(`cannot reach it with ${echo(request)}`)
  },
]

/** A PSP that sends the key back, in answers to the announcement and to each kind of pull. */
export async function echoingPsp({ ask, world, create, read }: Stage, token: string): Promise<void> {
  for (const echoes of ECHOES) {
    world.mendMollie()
    const { paymentJob } = await create(token)
    const { account } = await stored(paymentJob)
    const body = new URLSearchParams({ id: await referenceOf(paymentJob) })
    world.mollie = echoes
    const failed = await create(token)
    await read(token, failed.paymentJob)
    await ask(`/pay/${failed.paymentJob}`)
    await ask(`/return/${paymentJob}`)
    await ask(`/notifications/${account}/${paymentJob}`, { method: 'POST', body })
    await ringNext(paymentJob)
    await read(token, paymentJob)
  }
}

/** Parts of the platform that fail, or hold values of a wrong form. */
export async function brokenPlatform(stage: Stage, apiKey: string, token: string): Promise<void> {
  const { ask, create, read } = stage
  const bearer = (secret: string) => ({ headers: { authorization: `Bearer ${secret}` } })
  const d1 = vi.spyOn(env.DB, 'prepare').mockImplementation(() => {
    throw new Error('D1_ERROR: no such table: api_keys: SQLITE_ERROR')
  })
  await ask(`/v1/guardian?key=${apiKey}`, bearer(apiKey))
  await ask('/operator/v1/pos', bearer(env.OPERATOR_TOKEN))
  d1.mockRestore()
  const objects = vi.spyOn(env.PAYMENT_JOB, 'getByName').mockImplementation(() => {
    throw new TypeError('The object is broken')
  })
  await read(token, crypto.randomUUID())
  await create(token)
  objects.mockRestore()
  const kv = vi.spyOn(env.TOKENS, 'get')
  kv.mockResolvedValue({ expires: token, profile: { pos: token, sealed: CANARIES.pspKey } } as never)
  await read(token, 'x')
  kv.mockRejectedValue(new Error('KV GET failed: 500 Internal Server Error'))
  await read(token, 'x')
  kv.mockRestore()
  await brokenJob(stage, token)
}

/** A job whose stored state has its secrets in the wrong members. */
async function brokenJob({ create, read }: Stage, token: string): Promise<void> {
  const { paymentJob } = await create(token)
  const job = await stored(paymentJob)
  await runInDurableObject(objectOf(paymentJob), (_, state) => {
    state.storage.kv.put('job', { ...job, version: CANARIES.ipAddress, paid: CANARIES.returnQuery })
  })
  await evictDurableObject(objectOf(paymentJob))
  await read(token, paymentJob)
  await runInDurableObject(objectOf(paymentJob), (instance) => instance.alarm?.())
}
