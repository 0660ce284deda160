import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { chown, mkdir } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** The folder of PostgreSQL's programs, from the PATH or where Debian keeps them; null where there is none. */
export function findPostgres(): string | null {
  const onPath = (process.env['PATH'] ?? '').split(delimiter)
  const versions = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed()
  return [...onPath, ...versions].find((folder) => holds(folder)) ?? null
}

function holds(folder: string): boolean {
  return ['initdb', 'postgres'].every((program) => existsSync(join(folder, program)))
}

export type Postgres = { socketDir: string; user: string; pid: number; stop: () => Promise<void> }

const START_DEADLINE = 20_000

/** Runs a fresh PostgreSQL with its usual settings, on a socket in `folder` alone. It is durable: fsync is on. */
export async function startPostgres(programs: string, folder: string): Promise<Postgres> {
  const data = join(folder, 'data')
  await mkdir(data, { recursive: true })
  const account = unprivileged()
  if (account) for (const path of [folder, data]) await chown(path, account.uid, account.gid)
  const options = { ...account, cwd: folder, env: { PATH: process.env['PATH'], LC_ALL: 'C' } }
  const made = spawnSync(
    join(programs, 'initdb'),
    ['--pgdata', data, '--username=bench', '--auth=trust', '--encoding=UTF8', '--no-locale'],
    { ...options, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? made.stderr}`)
  const server = spawn(join(programs, 'postgres'), ['-D', data, '-k', folder, '-c', 'listen_addresses='], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  server.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const deadline = Date.now() + START_DEADLINE
  while (!output.includes('ready to accept connections')) {
    if (server.exitCode !== null || Date.now() > deadline) {
      server.kill('SIGKILL')
      throw new Error(`PostgreSQL did not start: ${output}`)
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  const stop = async () => {
    if (server.exitCode !== null) return
    const ended = once(server, 'exit')
    // Fast shutdown, see https://www.postgresql.org/docs/current/server-shutdown.html
    server.kill('SIGINT')
    await ended
  }
  return { socketDir: folder, user: 'bench', pid: server.pid ?? 0, stop }
}

/** PostgreSQL refuses to run as root; then it runs as its own user, or as nobody. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  for (const user of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) =>
        Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }))
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // No such user here.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is no other user for it')
}
