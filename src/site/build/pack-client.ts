import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { command, option, runProgram } from '../../programs/program.ts'
import { clientFiles } from './client/client-files.ts'
import { PROJECT, releaseOf } from '../../programs/wrangler.ts'

const NAME = 'payment-hub-client'

/** Packs the client for npm: a module, its types, and its page. Returns the path in `out`. */
export async function packClient(out: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-package-'))
  try {
    const files = new Map([
      ...(await clientFiles()),
      ['README.md', await readme()],
      ['package.json', JSON.stringify(manifest(), null, 2)],
    ])
    for (const [name, text] of files) await writeFile(join(folder, name), text)
    await mkdir(out, { recursive: true })
    const { stdout } = await promisify(execFile)(
      'npm',
      ['pack', '--silent', '--pack-destination', resolve(out)],
      {
        cwd: folder,
      },
    )
    return join(out, stdout.trim())
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function manifest(): object {
  return {
    name: NAME,
    version: releaseOf(),
    description: 'The typed client of the payment hub, for points of sale',
    type: 'module',
    exports: { '.': { types: './client.d.ts', default: './client.js' } },
    types: './client.d.ts',
    files: ['client.js', 'client.d.ts'],
    engines: { node: '>=20' },
    sideEffects: false,
  }
}

/** Returns the client's page for shops, with its links to other pages as plain words. */
async function readme(): Promise<string> {
  const page = await readFile(join(PROJECT, 'docs', 'pos', 'client.md'), 'utf8')
  return page
    .replaceAll(/\[([^\]]+)\]\([a-z-]+(?:\.md)?(?:#[^)]*)?\)/g, '$1')
    .replaceAll("'./client.js'", `'${NAME}'`)
}

const program = command({
  name: 'npm run pack:client --',
  does: 'packs the client as a package for npm',
  example: 'npm run pack:client -- --out dist',
  args: { out: { ...option('FOLDER', 'where the file goes; this folder if not given'), default: '.' } },
  run: async ({ out }) => {
    console.log(await packClient(out))
    return 0
  },
})

if (process.argv[1] === fileURLToPath(import.meta.url)) process.exitCode = await runProgram(program)
