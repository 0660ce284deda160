import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'

/** Settings of npm for the registry of whoever runs the tests. One that does not answer is soon given up. */
export const REGISTRY = {
  npm_config_registry: process.env['npm_config_registry'] ?? 'https://registry.npmjs.org',
  npm_config_fetch_retries: '0',
  npm_config_fetch_timeout: '20000',
}

/** An empty folder of a shop's developer, with npm and the Node at `node`. npm's cache is empty, and it has no registry. */
export async function openShopFolder(node = process.execPath) {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-shop-'))
  const { HUB_URL: _url, HUB_API_KEY: _key, HUB_SIGNING_SECRET: _secret, ...own } = process.env
  const inherited = Object.entries(own).filter(([name]) => !name.toLowerCase().startsWith('npm_'))
  const env = {
    ...Object.fromEntries(inherited),
    PATH: [dirname(node), own['PATH'] ?? ''].join(delimiter),
    NO_COLOR: '1',
    npm_config_cache: join(folder, 'cache'),
    npm_config_registry: 'http://localhost:9',
    npm_config_update_notifier: 'false',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
  }
  const children: ChildProcess[] = []
  return {
    folder,
    /** Runs a program and waits for its end. */
    run: (program: string, words: readonly string[], settings: Record<string, string> = {}) =>
      new Promise<{ code: number; out: string; err: string }>((resolve) => {
        const options = { cwd: folder, env: { ...env, ...settings } }
        execFile(program, words, options, (error, out, err) =>
          resolve({ code: typeof error?.code === 'number' ? error.code : error ? 1 : 0, out, err }),
        )
      }),
    /** Starts a program without waiting for its end. Gives its output so far. */
    start: (program: string, words: readonly string[], settings: Record<string, string>) => {
      const child = spawn(program, words, { cwd: folder, env: { ...env, ...settings } })
      children.push(child)
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => (said += chunk.toString()))
      return { said: () => said, stop: () => child.kill('SIGINT') }
    },
    remove: async () => {
      for (const child of children) child.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
export type ShopFolder = Awaited<ReturnType<typeof openShopFolder>>
