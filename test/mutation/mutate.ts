import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Lines, changedLines } from './changed-lines.ts'
import { mutateDomain } from './domain.ts'
import { mutateShell } from './shell/mutate-shell.ts'
import { compare, readKnown, tellAs } from './survivors.ts'

const HELP = `npm run mutate                        the pure rules, src/domain
npm run mutate -- --shell             payment-job, reports, storage, checkout, notifications
npm run mutate -- --changed           lines that differ from the branch main; --base COMMIT for another
npm run mutate -- src/payment-job/outbox.ts src/reports
  --every 10                          one mutant of the shell in ten
  --tests test/reports,test/queues    only these tests of the shell: sooner done, and more mutants live

Fails when a mutant lives that test/mutation/survivors.json does not name.`

const root = join(import.meta.dirname, '../..')
const SHELL = ['payment-job', 'reports', 'storage', 'checkout', 'notifications'].map((name) => `src/${name}`)

const filesUnder = async (path: string): Promise<string[]> =>
  /\.tsx?$/.test(path) ? [path] : await Array.fromAsync(glob(`${path}/**/*.{ts,tsx}`, { cwd: root }))

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    base: { type: 'string', default: 'main' },
    shell: { type: 'boolean', default: false },
    tests: { type: 'string', default: 'test/' },
    every: { type: 'string', default: '1' },
    help: { type: 'boolean', default: false },
  },
})

const chosenFiles = async (): Promise<Map<string, readonly Lines[]>> => {
  if (values.changed) return await changedLines(values.base)
  const paths = positionals.length > 0 ? positionals : values.shell ? SHELL : ['src/domain']
  const files = await Promise.all(paths.map(filesUnder))
  return new Map(files.flat().map((file) => [file, []]))
}

const run = async (): Promise<void> => {
  const files = await chosenFiles()
  const isDomain = ([file]: readonly [string, unknown]): boolean => file.startsWith('src/domain/')
  const domain = new Map([...files].filter(isDomain))
  const shell = new Map([...files].filter((entry) => !isDomain(entry)))
  const found = [
    ...(domain.size === 0 ? [] : await mutateDomain(domain)),
    ...(shell.size === 0 ? [] : await mutateShell(shell, Number(values.every), values.tests.split(','))),
  ]
  const result = compare(found, await readKnown())
  const share = result.played === 0 ? 100 : (100 * result.killed) / result.played
  console.log(`\n${result.killed} of ${result.played} mutants killed: ${share.toFixed(1)} %`)
  if (result.new.length > 0)
    console.log(`\nlive, and are not in the list:\n${result.new.map(tellAs).join('\n')}`)
  for (const { file, from, to } of result.stale)
    console.log(`in the list, but killed: ${file} ${from} -> ${to}`)
  process.exitCode = result.new.length > 0 || result.stale.length > 0 ? 1 : 0
}

if (values.help) console.log(HELP)
else await run()
