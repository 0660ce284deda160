import { spawn } from 'node:child_process'
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { buildSite } from '../build-site.ts'

/**
 * The files of the project that a deploy uses. The site is already built from the same sources, so clones
 * need not build it again.
 */
const USED = ['src', 'docs', 'migrations', '.wrangler/site', 'package.json', 'tsconfig.json', 'wrangler.toml']

/** Variables of the machine's environment that affect a deploy. Tests must not use them. */
const NOT_OURS = /^(CI$|CLOUDFLARE|CF|WRANGLER|HUB|OPERATOR|HTTPS?_PROXY|https?_proxy|NO_PROXY|no_proxy)/

/** A program's exit code and output. */
export type Ended = { code: number | null; out: string; err: string }

/** A copy of the project like a fresh clone: without secrets, state or login. */
export async function makeClone() {
  await buildSite()
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-clone-'))
  for (const part of USED) await cp(join(PROJECT, part), join(folder, part), { recursive: true })
  await symlink(join(PROJECT, 'node_modules'), join(folder, 'node_modules'))

  const run = (
    file: string,
    words: readonly string[],
    env: Record<string, string>,
    input: string | null = null,
  ): Promise<Ended> =>
    new Promise((resolve, reject) => {
      const own = Object.entries(process.env).filter(([name]) => !NOT_OURS.test(name))
      const child = spawn(process.execPath, [join(folder, file), ...words], {
        cwd: folder,
        // Hides the login of this machine's user.
        env: { ...Object.fromEntries(own), HOME: folder, XDG_CONFIG_HOME: join(folder, 'config'), ...env },
        stdio: 'pipe',
      })
      child.stdin.end(input ?? '')
      let [out, err] = ['', '']
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
      child.on('error', reject)
      child.on('close', (code) => resolve({ code, out, err }))
    })

  return {
    folder,
    deploy: (words: readonly string[], env: Record<string, string>) =>
      run('src/deploy/deploy.ts', words, env),
    hub: (words: readonly string[], env: Record<string, string>) => run('src/cli/hub.ts', words, env),
    wrangler: (words: readonly string[], env: Record<string, string>, input?: string) =>
      run('node_modules/wrangler/bin/wrangler.js', words, { ...env, WRANGLER_SEND_METRICS: 'false' }, input),
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}
export type Clone = Awaited<ReturnType<typeof makeClone>>
