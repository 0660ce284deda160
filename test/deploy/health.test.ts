import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkHealth } from '../../src/deploy/check-hub.ts'

const URL_OF_HUB = 'https://hub.example.com'
function health(version: string) {
  return () => Response.json({ status: 'ok', version })
}
function unreachable(): never {
  throw new TypeError('fetch failed', { cause: new Error('getaddrinfo ENOTFOUND hub.example.com') })
}

/** A hub that gives these answers in order, and then repeats the last. */
function hubThatAnswers(...answers: (() => Response)[]) {
  let asked = 0
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation((url) => {
    expect(url).toBe(`${URL_OF_HUB}/healthz`)
    const answer = answers[Math.min(asked++, answers.length - 1)] ?? unreachable
    return Promise.resolve().then(answer)
  })
  return () => spy.mock.calls.length
}

/** Checks a hub while a fake clock runs. */
async function check(): Promise<string | null> {
  const checked = checkHealth(URL_OF_HUB, '0.3.0')
  await vi.runAllTimersAsync()
  return checked
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('the health check of a deployed hub', () => {
  it('is content when the release that was deployed answers', async () => {
    const asked = hubThatAnswers(health('0.3.0'))
    expect([await check(), asked()]).toEqual([null, 1])
  })

  it('asks again while the address is new, and while the release before answers', async () => {
    const asked = hubThatAnswers(
      unreachable,
      () => new Response('There is nothing here yet', { status: 404 }),
      health('0.2.0'),
      health('0.3.0'),
    )
    expect([await check(), asked()]).toEqual([null, 4])
  })

  it('is content with a hub whose registry is lost, which a deploy is the way to mend', async () => {
    hubThatAnswers(() =>
      Response.json({ status: 'failing', version: '0.3.0', registry: 'lost' }, { status: 503 }),
    )
    expect(await check()).toBeNull()
  })

  it.each([
    ['cannot be reached: getaddrinfo ENOTFOUND hub.example.com', unreachable],
    ['answers 404', () => new Response('nothing', { status: 404 })],
    ['answers with release 0.2.0, not 0.3.0', health('0.2.0')],
    [
      'answers 503: Set these secrets to 32 random bytes each: SEALING_KEY.',
      () =>
        Response.json({ detail: 'Set these secrets to 32 random bytes each: SEALING_KEY.' }, { status: 503 }),
    ],
  ])('ends after a minute and a half, and reports that the hub %s', async (wrong, answer) => {
    const asked = hubThatAnswers(answer)
    expect(await check()).toBe(`${wrong}, 90 seconds after`)
    expect(asked()).toBeGreaterThan(20)
  })
})
