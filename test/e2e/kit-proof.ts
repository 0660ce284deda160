import { join } from 'node:path'
import { expect } from 'vitest'
import { type RunningHub, openPos } from './clients.ts'
import type { ShopFolder } from './shop-folder.ts'
import { openReceiver } from './signed-receiver.ts'

/** What a developer does from an empty folder: the doctor by npx, then listener and trigger of the package. */
export async function proveKit(hub: RunningHub, { folder, run, start }: ShopFolder): Promise<void> {
  const pos = await openPos(hub)
  const receiver = await openReceiver(pos.signingSecret)
  const keys = { HUB_API_KEY: pos.apiKey, HUB_SIGNING_SECRET: pos.signingSecret }
  const kit = `${hub.url}/kit.tgz`
  try {
    const doctor = await run('npx', ['--yes', kit, 'doctor', '--receiver', receiver.url, '--json'], keys)
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining('"ok"')])
    const installed = await run('npm', ['install', '--silent', kit])
    expect(installed).toMatchObject({ code: 0 })
    const program = join(folder, 'node_modules', '.bin', 'payment-hub-kit')
    const listening = start(program, ['listen', '--forward', receiver.url], keys)
    await expect.poll(listening.said, { timeout: 30_000 }).toContain('Ctrl-C')
    const paid = await run(program, ['trigger', 'paid'], keys)
    expect([paid.code, paid.err]).toEqual([0, ''])
    listening.stop()
    expect([receiver.refused, receiver.received.at(-1)?.status]).toEqual([[], 'SUCCESS'])
  } finally {
    await receiver.stop()
  }
}
