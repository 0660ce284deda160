import { copyFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { freePort } from '../../src/programs/free-port.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { type RunningHub, openPos } from './clients.ts'
import type { ShopFolder } from './shop-folder.ts'
import { openReceiver } from './signed-receiver.ts'

/** Brings the kit into a folder, as `curl -O` does. */
export async function fetchKit(hub: RunningHub, folder: string): Promise<void> {
  await writeFile(join(folder, 'kit.tgz'), await (await fetch(`${hub.url}/kit.tgz`)).bytes())
}

/**
 * A developer's steps from an empty folder: the doctor of the unpacked kit, then the installed package's listener,
 * trigger and certificate.
 */
export async function proveKit(hub: RunningHub, { folder, run, start }: ShopFolder): Promise<void> {
  const pos = await openPos(hub)
  const receiver = await openReceiver(pos.signingSecret)
  const keys = { HUB_API_KEY: pos.apiKey, HUB_SIGNING_SECRET: pos.signingSecret }
  try {
    await fetchKit(hub, folder)
    expect(await run('tar', ['-xzf', 'kit.tgz'])).toMatchObject({ code: 0 })
    const doctor = await run('node', ['package/kit.js', 'doctor', '--receiver', receiver.url, '--json'], keys)
    expect([doctor.code, doctor.out]).toEqual([0, expect.stringContaining('"ok"')])
    const installed = await run('npm', ['install', '--silent', './kit.tgz'])
    expect(installed).toMatchObject({ code: 0 })
    const program = join(folder, 'node_modules', '.bin', 'payment-hub-kit')
    const listening = start(program, ['listen', '--forward', receiver.url], keys)
    await expect.poll(listening.said, { timeout: 30_000 }).toContain('Ctrl-C')
    const paid = await run(program, ['trigger', 'paid'], keys)
    expect([paid.code, paid.err]).toEqual([0, ''])
    listening.stop()
    expect([receiver.refused, receiver.received.at(-1)?.status]).toEqual([[], 'SUCCESS'])

    const [port, way] = [await freePort(), await freePort()]
    await copyFile(join(PROJECT, 'docs', 'pos', 'samples', 'shop', 'shop.ts'), join(folder, 'shop.mts'))
    await copyFile(join(folder, 'node_modules', 'payment-hub-kit', 'client.js'), join(folder, 'client.js'))
    const shop = start(process.execPath, ['shop.mts'], {
      HUB_URL: `http://localhost:${way}`,
      API_KEY: pos.apiKey,
      SIGNING_SECRET: pos.signingSecret,
      PORT: String(port),
    })
    const url = `http://localhost:${port}`
    await expect.poll(() => fetch(url).then(({ status }) => status, shop.said), { timeout: 30_000 }).toBe(404)
    const words = [
      'certify',
      url,
      '--pay-url',
      '/pay',
      '--port',
      String(way),
      '--only',
      'paid,stale,answer-lost',
    ]
    const certified = await run(program, words, keys)
    shop.stop()
    expect([certified.code, certified.out]).toEqual([0, expect.stringContaining('3 scenarios passed')])
  } finally {
    await receiver.stop()
  }
}
