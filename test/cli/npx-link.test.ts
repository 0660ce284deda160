import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { read } from '../docs/documents.ts'

const { bin: today } = JSON.parse(read('package.json')) as { bin: { hub: string } }
/** Where releases have the program, whose link npx keeps. */
const RELEASES = { '1.0': 'src/tools/cli/hub', '1.1.0': 'src/cli/hub' }

it.each(Object.entries(RELEASES))(
  '`npx hub` of %s goes on working in its clone after an upgrade, and after the way back',
  async (release, path) => {
    const folder = await mkdtemp(join(tmpdir(), 'payment-hub-npx-'))
    const clone = join(folder, 'hub')
    const put = async (file: string, text: string) => {
      await mkdir(dirname(join(clone, file)), { recursive: true })
      await writeFile(join(clone, file), text, { mode: 0o755 })
    }
    const remove = () => rm(join(clone, 'src'), { recursive: true, force: true })
    const installOld = async () => {
      await remove()
      await put(
        'package.json',
        JSON.stringify({ name: 'hub-of-clones', version: '1.0.0', bin: { hub: path } }),
      )
      await put(path, `#!/bin/sh\necho ${release}`)
    }
    const installToday = async () => {
      await remove()
      await put('package.json', JSON.stringify({ name: 'hub-of-clones', version: '9.0.0', bin: today }))
      for (const file of Object.values(RELEASES)) await cp(join(PROJECT, file), join(clone, file))
      await put('src/cli/hub.ts', "console.log('today', process.argv[2])")
    }
    const env = {
      ...process.env,
      npm_config_cache: join(folder, 'cache'),
      npm_config_registry: 'http://localhost:9',
    }
    const npxHub = async () =>
      (await promisify(execFile)('npx', ['--yes', 'hub', 'a b'], { cwd: clone, env })).stdout.trim()
    try {
      await mkdir(join(clone, 'node_modules', '.bin'), { recursive: true })
      await symlink(process.execPath, join(clone, 'node_modules', '.bin', 'node'))
      const said: string[] = []
      for (const install of [installOld, installToday, installOld]) {
        await install()
        said.push(await npxHub())
      }
      expect(said).toEqual([release, 'today a b', release])
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
)
