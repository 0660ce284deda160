import { spawnSync } from 'node:child_process'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { blocksOf, read } from '../docs/documents.ts'
import { type Pos, choose, next, openPos } from './clients.ts'

const hub = inject('hub')
const hasCurl = spawnSync('curl', ['--version']).status === 0
let pos: Pos
beforeAll(async () => {
  pos = await openPos(hub)
})

/** A function from the samples of docs/pos/live-status.md, as a reader copies it. */
async function sample(name: string): Promise<(...args: unknown[]) => Promise<unknown>> {
  const code = blocksOf(read('docs/pos/live-status.md'), 'js').find((block) =>
    block.includes(`function ${name}(`),
  )
  const module = (await import(
    `data:text/javascript,${encodeURIComponent(`${code}export { ${name} }`)}`
  )) as Record<string, (...args: unknown[]) => Promise<unknown>>
  const found = module[name]
  if (!found) throw new Error(`there is no sample ${name}`)
  return found
}

describe('the samples of the documents', () => {
  it('wait for a payment: the one that waits for a change', async () => {
    const job = await pos.create('http://localhost:9')
    const paid = (await sample('waitForPayment'))(hub.url, pos.token, job.paymentJob)
    await next(await choose(job.payUrl, 'paid'))
    expect(await paid).toMatchObject({ paymentJob: job.paymentJob, status: 'SUCCESS' })
  })

  it('wait for a payment: the one that reads the events', async () => {
    const job = await pos.create('http://localhost:9')
    const seen: string[] = []
    const first = Promise.withResolvers<void>()
    const onJob = ({ status }: { status: string }) => {
      seen.push(status)
      first.resolve()
    }
    const paid = (await sample('watchPayment'))(hub.url, pos.token, job.paymentJob, onJob)
    await first.promise
    await next(await choose(job.payUrl, 'paid'))
    await paid
    expect(seen).toEqual(['PENDING', 'SUCCESS'])
  })

  it.skipIf(!hasCurl)('wait for a payment: those in curl', async () => {
    const job = await pos.create('http://localhost:9')
    await next(await choose(job.payUrl, 'paid'))
    for (const block of blocksOf(read('docs/pos/live-status.md'), 'sh')) {
      const script = block
        .replace('https://hub.example.com', hub.url)
        .replace('/ID ', `/${job.paymentJob} `)
        .replace('curl ', 'curl --max-time 2 ')
      const { stdout } = spawnSync('bash', ['-c', script], {
        env: { ...process.env, TOKEN: pos.token },
        encoding: 'utf8',
      })
      expect(stdout).toContain('"status":"SUCCESS"')
    }
  })
})
