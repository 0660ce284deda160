import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { adyenFake } from '../support/psps/adyen.ts'
import { mollieFake } from '../support/psps/mollie.ts'
import { serve } from '../psp/official/serve.ts'
import { runHub } from '../cli/run-hub.ts'
import { type JobJson, ask, orderOf } from './clients.ts'
import { openShops } from './shops.ts'

/** Accounts as an operator sets them up, with local PSPs, and a real payment. */
const hub = inject('hub')
let shops: Awaited<ReturnType<typeof openShops>>
const servers: { stop: () => Promise<void> }[] = []
beforeAll(async () => {
  vi.stubEnv('HUB_URL', hub.url)
  vi.stubEnv('OPERATOR_TOKEN', hub.secrets['OPERATOR_TOKEN'])
  shops = await openShops()
})
afterAll(async () => {
  vi.unstubAllEnvs()
  shops.close()
  await Promise.all(servers.map(({ stop }) => stop()))
})

/** Runs a command of the CLI, in a separate process if it reads standard input. */
async function run(words: string[], input?: string) {
  if (input === undefined) {
    const { code, ...lines } = await runHub(words)
    return { code, out: lines.out.join('\n'), err: lines.err.join('\n') }
  }
  const child = spawn(process.execPath, ['src/cli/hub.ts', ...words], { cwd: PROJECT })
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [out, err, code] = await Promise.all([text(child.stdout), text(child.stderr), ended])
  return { code, out, err }
}

async function livePos(): Promise<{ id: string; token: string }> {
  const { out } = await run(['pos', 'create', '--name', 'Live shop', '--live', '--json'])
  const { id, apiKey } = JSON.parse(out) as { id: string; apiKey: string }
  const { token } = await ask<{ token: string }>(`${hub.url}/v1/guardian`, apiKey)
  return { id, token }
}

// test/psp/whole-payment.test.ts tests the same payment at each PSP. Adyen has the most secrets.
describe('an account at a PSP', () => {
  const psp = 'adyen'
  const fake = adyenFake()
  const [credentials] = fake.accounts
  const secrets = Object.values(credentials) as string[]

  it('is added over standard input, checked, routed to, and takes a payment that is notified and reported', async () => {
    const atPsp = await serve(fake.handle)
    servers.push(atPsp)
    const words = ['psp', 'add', psp, '--psp', psp, '--mode', 'live', '--endpoint', atPsp.url]
    const printed = [await run(words, JSON.stringify(credentials))]
    expect(printed[0]).toMatchObject({ code: 0, err: '' })
    printed.push(await run(['psp', 'check', psp]))
    expect(printed[1]?.code).toBe(0)
    expect(printed[1]?.out).toMatch(/^result +working$[^]*^notifications state +none$/m)
    const { id, token } = await livePos()
    printed.push(await run(['pos', 'route', id, '*', psp]))
    expect(printed[2]?.out).toMatch(new RegExp(`\\* +${psp}`))

    const { paymentJob: job, payUrl } = await ask<JobJson>(
      `${hub.url}/v2/paymentjobs`,
      token,
      orderOf(shops.url),
    )
    const checkout = await fetch(payUrl, { redirect: 'manual' })
    expect([checkout.status, checkout.headers.get('location')]).toEqual([
      303,
      expect.stringMatching(/^https:/),
    ])
    fake.bring(job, 'paid')
    const [notification] = await fake.notify(job, Date.now())
    if (!notification) throw new Error('the PSP sent no notification')
    const { url, headers, body } = notification
    const { pathname, search } = new URL(url ?? `${hub.url}/notifications/${psp}`)
    const answer = await fetch(hub.url + pathname + search, { method: 'POST', headers, body })
    expect(answer.status).toBe(200)
    await expect
      .poll(() => shops.of(job).map(({ status }) => status), { timeout: 10_000 })
      .toEqual(['SUCCESS'])
    printed.push(await run(['job', 'show', job]), await run(['psp', 'list']))
    expect(printed[3]?.out).toContain(`${psp}, its reference`)
    for (const { out, err } of printed) for (const secret of secrets) expect(out + err).not.toContain(secret)
  })
})

describe('npm run hub', () => {
  it.each<[string, string[], string | undefined, number, RegExp]>([
    ['no credentials', ['psp', 'add', 'x', '--psp', 'stripe', '--mode', 'live'], '', 1, /"secretKey": "…"/],
    [
      'a PSP that is not there',
      ['psp', 'add', 'x', '--psp', 'paypro', '--mode', 'live'],
      '{}',
      2,
      /paypro.*mollie/,
    ],
    [
      'credentials that are no JSON',
      ['psp', 'add', 'x', '--psp', 'stripe', '--mode', 'live'],
      'sk_x',
      1,
      /JSON object/,
    ],
    ['a check of an unknown account', ['psp', 'check', 'nobody'], undefined, 2, /There is no account nobody/],
  ])('says what is wrong with %s', async (_, words, input, expected, message) => {
    const { code, out, err } = await run(words, input)
    expect([code, out]).toEqual([expected, ''])
    expect(err).toMatch(message)
  })

  it('takes the bare key where the PSP has but one, and exits with 1 when it does not work', async () => {
    const atPsp = await serve(mollieFake().handle)
    servers.push(atPsp)
    const words = ['psp', 'add', 'bare', '--psp', 'mollie', '--mode', 'live', '--endpoint', atPsp.url]
    expect(await run(words, 'live_unknowntomollie\n')).toMatchObject({ code: 0 })
    const checked = await run(['psp', 'check', 'bare'])
    expect([checked.code, checked.out]).toEqual([
      1,
      expect.stringMatching(/^result +refused\nmessage +Mollie/m),
    ])
    expect(await run(['psp', 'rekey', 'bare', '--endpoint', atPsp.url], 'live_firstaccount01')).toMatchObject(
      { code: 0 },
    )
    expect(await run(['psp', 'check', 'bare'])).toMatchObject({ code: 0 })
    expect((await run(['keys', 'rotate'])).out).toMatch(/^resealed +none$/m)
    expect((await run(['psp', 'remove', 'bare'])).out).toMatch(/^removed +yes$/m)
  })
})
