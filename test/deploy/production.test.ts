import { createHmac } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Ended } from './clone.ts'
import { type Cloud, openCloud } from './cloud.ts'
import { hubAt } from './pay-at.ts'

const URL_OF_HUB = 'https://payment-hub.shops.workers.dev'
const OWN_FILE = '.hub/production.secrets'

let cloud: Cloud
let first: Ended
beforeAll(async () => {
  cloud = await openCloud()
}, 60_000)
afterAll(() => cloud.close(), 60_000)

function script() {
  return cloud.account.scripts.get('payment-hub')
}
function secretsOfFile() {
  return parseEnv(readFileSync(join(cloud.clone.folder, OWN_FILE), 'utf8'))
}

describe('the first deploy from a clone', () => {
  beforeAll(async () => {
    first = await cloud.deploy()
  }, 240_000)

  it('succeeds, and asks Cloudflare nothing that it would not take', () => {
    expect(first, first.err).toMatchObject({ code: 0 })
    expect(cloud.wrong).toEqual([])
  })

  it('shows its plan before it does anything', () => {
    const plan = first.out.slice(0, first.out.indexOf('Made new secrets'))
    expect(plan).toMatch(/database +payment-hub +made, then migrated/)
    expect(plan).toMatch(/secrets +\.hub\/production\.secrets +made with new values/)
    expect(plan).toMatch(/queue +payment-hub-reports-dead +made by the upload/)
  })

  it('makes a file of secrets that only its owner can read, and uploads them', () => {
    const file = join(cloud.clone.folder, OWN_FILE)
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600')
    expect((statSync(join(file, '..')).mode & 0o777).toString(8)).toBe('700')
    expect(Object.fromEntries(script()?.secrets ?? [])).toEqual({ ...secretsOfFile() })
    expect(Object.values(secretsOfFile()).every((value) => /^[0-9a-f]{64}$/.test(value ?? ''))).toBe(true)
  })

  it('makes the database, and migrates it before the Worker comes', () => {
    expect([...cloud.account.databases.values()].map(({ name }) => name)).toEqual(['payment-hub'])
    const at = (asked: string) => cloud.asked.findIndex((one) => one.startsWith(asked))
    expect(at('POST /d1/database')).toBeGreaterThan(-1)
    expect(at('PUT /workers/scripts/payment-hub')).toBeGreaterThan(
      cloud.asked.findLastIndex((one) => one.endsWith('/query')),
    )
  })

  it('says where the hub is, where its operator token is, and what comes next', () => {
    expect(first.out).toContain(`The hub runs at ${URL_OF_HUB} (release `)
    expect(first.out).toContain(`Its operator token is OPERATOR_TOKEN in ${OWN_FILE}.`)
    expect(first.out).toContain(`export HUB_URL=${URL_OF_HUB}`)
    expect(first.out).toContain('npm run hub -- pos create --name "Shop 1"')
  })

  it("ends with the hub's status: its tables are those of the release, and all parts work", () => {
    expect(first.out).toMatch(/^working +hub +release /m)
    expect(first.out).not.toMatch(/^(failing|unknown) /m)
  })

  it('shows no secret', () => {
    for (const secret of Object.values(secretsOfFile())) expect(first.out + first.err).not.toContain(secret)
  })
})

describe('the Worker that was uploaded', () => {
  it('refuses addresses of this machine, as production does', () => {
    const texts = script()?.versions[0]?.bindings.filter(({ type }) => type === 'plain_text')
    expect(texts).toContainEqual({ name: 'LOOPBACK_URLS', type: 'plain_text', text: 'refused' })
  })

  it(
    'takes a payment, from the point of sale that the next command makes to the signed report',
    { timeout: 240_000 },
    async () => {
      const operator = {
        ...cloud.internet.env,
        HUB_URL: URL_OF_HUB,
        OPERATOR_TOKEN: secretsOfFile()['OPERATOR_TOKEN'] ?? '',
      }
      const made = await cloud.clone.hub(['pos', 'create', '--name', 'Shop 1', '--json'], operator)
      expect(made, made.err).toMatchObject({ code: 0 })
      const pos = JSON.parse(made.out) as { apiKey: string; signingSecret: string }
      const hub = hubAt(URL_OF_HUB, cloud.internet.env.HTTPS_PROXY)
      const job = await hub.pay(pos.apiKey, 1001)
      expect(job).toMatchObject({ status: 'SUCCESS', amountPaid: '12.50' })

      const report = await vi.waitFor(
        () => {
          const sent = cloud.internet.sent.find(({ body }) => body.includes(job.paymentJob))
          if (!sent) throw new Error('no report has come yet')
          return sent
        },
        { timeout: 20_000, interval: 100 },
      )
      expect(report.url).toBe('https://shop.example.com/report')
      expect(report.headers.get('x-signature')).toBe(
        createHmac('sha512', pos.signingSecret).update(report.body).digest('hex'),
      )
      // The index has the job too, which shows that the queue reaches its consumer, and the consumer the
      // database.
      const listed = () =>
        hub.json<{ jobs: { id: string }[] }>('/operator/v1/jobs', { bearer: operator.OPERATOR_TOKEN })
      await expect
        .poll(async () => (await listed()).jobs.map(({ id }) => id), { timeout: 30_000, interval: 200 })
        .toEqual([job.paymentJob])
      await hub.close()
    },
  )

  it('serves the static files that were uploaded with it', async () => {
    const hub = hubAt(URL_OF_HUB, cloud.internet.env.HTTPS_PROXY)
    const response = await hub.send('/openapi.json')
    expect([response.status, ((await response.json()) as { openapi: string }).openapi]).toEqual([
      200,
      '3.1.1',
    ])
    expect(await (await hub.send('/docs/guide')).text()).toContain(URL_OF_HUB)
    await hub.close()
  })
})
