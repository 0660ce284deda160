import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { inflate } from '@sparticuz/chromium'
import { chromium } from 'playwright-core'
import { PROJECT } from '../../src/programs/wrangler.ts'

const SYSTEM_CHROMIUM = '/usr/bin/chromium'
const UNPACKED = join(PROJECT, 'node_modules', '.cache', 'chromium')

/** Tests may run as root, so there is no sandbox. The browser fetches only what a page requests. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--in-process-gpu',
  '--disable-software-rasterizer',
  '--disable-smooth-scrolling',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** The endpoint of the shared browser, or the reason why there is none. */
export type SharedBrowser = { endpoint: string } | { missing: string }

/** Starts a headless Chromium: the machine's own, or the one from npm. */
export async function startBrowser(): Promise<{ shared: SharedBrowser; close: () => Promise<void> }> {
  try {
    const program = existsSync(SYSTEM_CHROMIUM) ? { executablePath: SYSTEM_CHROMIUM } : await unpacked()
    const server = await chromium.launchServer({ ...program, args: FLAGS })
    return { shared: { endpoint: server.wsEndpoint() }, close: () => server.close() }
  } catch (error) {
    const missing =
      `There is no ${SYSTEM_CHROMIUM}, and the Chromium of @sparticuz/chromium, which is for Linux on x64, does not ` +
      `start here. Install one: apt-get install --no-install-recommends chromium. ${String(error)}`
    return { shared: { missing }, close: () => Promise.resolve() }
  }
}

/** The Chromium from npm with its libraries and font. It is unpacked once after each `npm ci`. */
async function unpacked() {
  if (!existsSync(UNPACKED)) {
    await mkdir(dirname(UNPACKED), { recursive: true })
    const folder = await mkdtemp(`${UNPACKED}-`)
    await unpack(folder)
    // Another run may have unpacked it in the meantime.
    await rename(folder, UNPACKED).catch(() => rm(folder, { recursive: true, force: true }))
  }
  return {
    executablePath: join(UNPACKED, 'chromium'),
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(UNPACKED, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(UNPACKED, 'fonts.conf'),
    },
  }
}

/**
 * Unpacks Chromium into a folder. The package does so only if it believes that it runs on AWS Lambda, and
 * always into the current temporary folder.
 */
async function unpack(folder: string): Promise<void> {
  const archives = join(PROJECT, 'node_modules', '@sparticuz', 'chromium', 'bin')
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = folder
  const unpacking = ['chromium.br', 'al2023.tar.br', 'fonts.tar.br'].map((name) =>
    inflate(join(archives, name)),
  )
  if (before === undefined) delete process.env['TMPDIR']
  else process.env['TMPDIR'] = before
  await Promise.all(unpacking)
  await writeFile(
    join(folder, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${join(UNPACKED, 'fonts')}</dir></fontconfig>`,
  )
}
