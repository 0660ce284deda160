import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { textsIn } from '../../src/checkout/texts.ts'
import { createJob, location, refreshOf, send, tokenFor, linkIn } from '../support/hub/hub.ts'
import { stored } from '../support/jobs/job.ts'
import { makeLivePos, outside } from '../support/shops/live-pos.ts'

const WAIT = textsIn('en').wait

let world: ReturnType<typeof outside>
let job: { paymentJob: string; payUrl: string }
/** Lets the PSP answer the waiting requests. */
let release: () => void
/** Counts the announcements of the job at the PSP. */
let announcements: number
beforeEach(async () => {
  world = outside()
  const token = await tokenFor(await makeLivePos())
  world.fault = () => new Response(null, { status: 500 })
  job = await createJob(token, { language: 'en' })
  const waiting = Promise.withResolvers<void>()
  release = waiting.resolve
  announcements = 0
  world.fault = async (request) => {
    // Jobs of other tests may be announced in the meantime.
    if (request.method === 'POST' && (await request.clone().text()).includes(job.paymentJob))
      announcements += 1
    await waiting.promise
    return world.fake.handle(request)
  }
})
afterEach(() => release())

describe('a customer whose PSP is slow', () => {
  it('sees a page that says so, with the way back, and that goes at once to an address that waits', async () => {
    const response = await send(job.payUrl)
    expect(response.status).toBe(200)
    expect(await refreshOf(response)).toBe(`/pay/${linkIn(job)}?wait=1`)
    const page = await response.text()
    expect(page).toContain('<meta http-equiv="refresh" content="0; url=')
    expect(page).toContain('<h1>We are connecting you to the payment page</h1>')
    expect(page).toContain('href="https://shop.nl/thanks?order=7"')
    // Only once: the title already says it.
    expect(page.split(WAIT)).toHaveLength(2)
    // It moves on in the same way with and without scripts.
    expect(page).not.toMatch(/<script|<noscript/)
  })

  it('goes on to the PSP as soon as it answers, after one announcement', async () => {
    const waits = (await refreshOf(await send(job.payUrl))) ?? ''
    const going = send(waits)
    await new Promise((resolve) => setTimeout(resolve, 50))
    release()
    const checkout = location(await going)
    expect(checkout).toContain('mollie.com')
    expect(announcements).toBe(1)
    expect(location(await send(job.payUrl))).toBe(checkout)
  })

  it('sees the page again when opening the link twice, with one announcement', async () => {
    const pages = await Promise.all([send(job.payUrl), send(job.payUrl)])
    expect(pages.map(({ status }) => status)).toEqual([200, 200])
    expect(announcements).toBe(1)
  })

  it('loses nothing by closing the page: the payment is still announced', async () => {
    await send(job.payUrl)
    release()
    await vi.waitFor(async () => expect((await stored(job.paymentJob)).announcement).toBe('announced'))
  })

  it('sees that the payment cannot start yet when the PSP fails, with a way to try again and a way back', async () => {
    world.fault = async () => {
      await new Promise((resolve) => setTimeout(resolve, 700))
      return new Response(null, { status: 500 })
    }
    const waits = (await refreshOf(await send(job.payUrl))) ?? ''
    const failed = await send(waits)
    expect(failed.status).toBe(503)
    const page = await failed.text()
    expect(page).toContain('<h1>The payment cannot be started yet</h1>')
    expect(page).toContain(`<a class="button" href="${job.payUrl}">Try again</a>`)
    expect(page).toContain('href="https://shop.nl/thanks?order=7"')
    expect(page).not.toContain(WAIT)
    // The alarm sign is for a failed payment, and this one has not failed.
    expect(page).not.toContain('sign bad')
  })
})

it('a customer whose PSP is quick goes straight there', async () => {
  release()
  expect(location(await send(job.payUrl))).toContain('mollie.com')
})
