import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createJob, send, tokenFor } from '../support/hub.ts'
import { stored } from '../support/job.ts'
import { PSPS, type PspWorld, posAt, pspWorld } from '../support/psp-world.ts'

let world: PspWorld
let logged: object[]
beforeEach(() => {
  logged = []
  vi.spyOn(console, 'error').mockImplementation((entry: object) => void logged.push(entry))
})
afterEach(() => {
  world.stop()
  vi.restoreAllMocks()
})

/** What was logged of a job's account. Jobs of other tests log too. */
function refusals(job: string) {
  return logged.filter((entry) => 'job' in entry && entry.job === job)
}

describe.each(PSPS)('a question at %s', (psp) => {
  beforeEach(() => {
    world = pspWorld(psp)
  })

  const pulledWith = async (status: number) => {
    const { paymentJob: id } = await createJob(await tokenFor(await posAt(world)))
    world.fault = () => Response.json({ message: 'no' }, { status })
    await send(`/return/${id}`)
    return { id, account: (await stored(id)).account, status: (await stored(id)).status }
  }

  it.each([401, 403])(
    'that is answered %i is logged as an account that is refused, and ends nothing',
    async (code) => {
      const { id, account, status } = await pulledWith(code)
      expect(status).toBe('PENDING')
      expect(refusals(id)).toMatchObject([{ event: 'psp.account-refused', account }])
    },
  )

  it('that is answered otherwise is not', async () => {
    const { id } = await pulledWith(400)
    expect(refusals(id)).toEqual([])
  })
})

it('a question at MultiSafepay that names a wrong key, under any status, is logged so too', async () => {
  world = pspWorld('multisafepay')
  const { paymentJob: id } = await createJob(await tokenFor(await posAt(world)))
  world.fault = () => Response.json({ success: false, error_code: 1032, error_info: 'Invalid API key' })
  await send(`/return/${id}`)
  expect(refusals(id)).toMatchObject([{ event: 'psp.account-refused' }])
})
