import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Lines, changedLines } from './changed-lines.ts'
import { mutateDomain } from './domain/mutate-domain.ts'
import { isDomain, scoreTable } from './score.ts'
import { mutateShell } from './shell/mutate-shell.ts'
import { compare, readKnown, tellAs } from './survivors.ts'

const HELP = `npm run mutate                        the pure rules, src/domain
npm run mutate -- --shell             payment-job, reports, storage, checkout, notifications
npm run mutate -- --changed           lines of the Worker that differ from the branch main; --base COMMIT for another
npm run mutate -- src/job/outbox.ts src/reports
  --every 10                          one mutant of the shell in ten; --from 3 for others than --from 0
  --tests test/reports,test/queues    only these tests of the shell: sooner done, and more mutants live

Of the shell those mutants are played that compile: the others could never land.
Ends with a score by file. Fails when it is below what score.ts wants, or when a mutant is killed that test/mutation/survivors.json
names as one that no test can notice.`

const WHAT_TO_DO = `Each of these mistakes would pass all tests. For each: write a test that fails with it; or take the code out, if nothing
needs it; or, if nobody can tell it from the code, add it to test/mutation/survivors.json with the reason.`

const root = join(import.meta.dirname, '../..')
const SHELL = ['payment-job', 'reports', 'storage', 'checkout', 'notifications'].map((name) => `src/${name}`)

/** Programs of Node, whose tests no mutant of the Worker meets. */
function isOfNode(file: string): boolean {
  return file.startsWith('src/cli/')
}

async function filesUnder(path: string): Promise<string[]> {
  return /\.tsx?$/.test(path) ? [path] : await Array.fromAsync(glob(`${path}/**/*.{ts,tsx}`, { cwd: root }))
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    changed: { type: 'boolean', default: false },
    base: { type: 'string', default: 'main' },
    shell: { type: 'boolean', default: false },
    tests: { type: 'string', default: 'test/' },
    every: { type: 'string', default: '1' },
    from: { type: 'string', default: '0' },
    help: { type: 'boolean', default: false },
  },
})

async function chosenFiles(): Promise<Map<string, readonly Lines[]>> {
  if (values.changed)
    return new Map([...(await changedLines(values.base))].filter(([file]) => !isOfNode(file)))
  const paths = positionals.length > 0 ? positionals : values.shell ? SHELL : ['src/domain']
  const files = await Promise.all(paths.map(filesUnder))
  return new Map(files.flat().map((file) => [file, []]))
}

async function run(): Promise<void> {
  const files = await chosenFiles()
  const domain = new Map([...files].filter(([file]) => isDomain(file)))
  const shell = new Map([...files].filter(([file]) => !isDomain(file)))
  const sample = { every: Number(values.every), from: Number(values.from) }
  const found = [
    ...(domain.size === 0 ? [] : await mutateDomain(domain)),
    ...(shell.size === 0 ? [] : await mutateShell(shell, sample, values.tests.split(','))),
  ]
  const { listed, new: alive, stale } = compare(found, await readKnown())
  const { lines, isReached } = scoreTable(found, listed)
  if (alive.length > 0) console.log(`\nalive:\n${alive.map(tellAs).join('\n')}\n\n${WHAT_TO_DO}`)
  for (const { file, from, to } of stale)
    console.log(`\nin survivors.json, but killed: take it out of the list\n${file}  ${from}  ->  ${to}`)
  console.log(`\n${lines.join('\n')}`)
  process.exitCode = isReached && stale.length === 0 ? 0 : 1
}

if (values.help) console.log(HELP)
else await run()
