import { expect, it } from 'vitest'
import { readDatabases } from '../../src/cli/databases.ts'
import { deploy } from '../../src/cli/deploy/deploy-steps.ts'

/** A wrangler that logs what it was asked, and fails at what it is told to. */
const wranglerThatFailsAt = (...failing: string[]) => {
  const log: string[] = []
  const run = async (args: readonly string[]) => {
    log.push(args.join(' '))
    return !failing.some((command) => args.join(' ').startsWith(command))
  }
  return { log, run }
}

const ONE = [{ binding: 'DB', name: 'payment-hub' }]
const TWO = [...ONE, { binding: 'INDEX_1', name: 'payment-hub-index-1' }]

it('makes, migrates and deploys on a first run, in this order', async () => {
  const { log, run } = wranglerThatFailsAt('d1 info')
  expect(await deploy(run, ONE, 'secrets')).toBeNull()
  expect(log).toEqual([
    'd1 info payment-hub --json',
    'd1 create payment-hub',
    'd1 migrations apply DB --remote',
    'deploy --secrets-file secrets',
  ])
})

it('migrates before it deploys on a later run, and makes nothing again', async () => {
  const { log, run } = wranglerThatFailsAt()
  expect(await deploy(run, ONE)).toBeNull()
  expect(log).toEqual(['d1 info payment-hub --json', 'd1 migrations apply DB --remote', 'deploy'])
})

it('makes and migrates each database, before the Worker comes that relies on it', async () => {
  const { log, run } = wranglerThatFailsAt('d1 info payment-hub-index-1')
  expect(await deploy(run, TWO)).toBeNull()
  expect(log).toEqual([
    'd1 info payment-hub --json',
    'd1 migrations apply DB --remote',
    'd1 info payment-hub-index-1 --json',
    'd1 create payment-hub-index-1',
    'd1 migrations apply INDEX_1 --remote',
    'deploy',
  ])
})

it('knows the databases of wrangler.toml', () => {
  expect(readDatabases()).toEqual(expect.arrayContaining(ONE))
})

it('does not deploy on a database that was not migrated', async () => {
  const { log, run } = wranglerThatFailsAt('d1 migrations')
  expect(await deploy(run, ONE)).toContain('migrations of payment-hub were not applied')
  expect(log.at(-1)).toBe('d1 migrations apply DB --remote')
})

it('says how to log in when Cloudflare lets nobody in', async () => {
  const { run } = wranglerThatFailsAt('d1')
  expect(await deploy(run, ONE)).toContain('CLOUDFLARE_API_TOKEN')
})

it('names the secrets when the deploy fails', async () => {
  const { run } = wranglerThatFailsAt('deploy')
  expect(await deploy(run, ONE)).toMatch(/OPERATOR_TOKEN, SIGNING_ROOT, SEALING_KEY/)
})
