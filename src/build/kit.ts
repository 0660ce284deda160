import { readFile, readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { VERSION } from '../platform/version.ts'
import { PROJECT } from '../programs/wrangler.ts'
import { tarEntry } from '../site/tar.ts'

/**
 * Makes the package for developers of shops: their commands, and the clients. The archive has no end yet,
 * because the hub adds its own address to it (src/site/routes.ts). Equal sources make equal bytes.
 */
export async function kitPackage(clients: ReadonlyMap<string, string | Uint8Array>): Promise<Uint8Array> {
  const { scripts, sources } = await bundledKit()
  const files = new Map([
    ['package.json', `${JSON.stringify(MANIFEST, null, 2)}\n`],
    ['README.md', README],
    ...scripts,
    ['NOTICES.txt', await noticesOf(sources)],
    ...clients,
  ])
  const entries = [...files].map(([path, content]) => tarEntry(`package/${path}`, Buffer.from(content)))
  return gzipSync(Buffer.concat(entries), { level: 9 })
}

/**
 * Bundles the commands into `kit.js`, which Node 14 can read, and what it loads only in a newer Node. `sources` are the
 * files that they are made of.
 */
export async function bundledKit(): Promise<{ scripts: Map<string, string>; sources: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(PROJECT, 'src', 'kit', 'kit.ts')],
    absWorkingDir: PROJECT,
    outdir: '/kit',
    chunkNames: '[name]',
    write: false,
    metafile: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minify: true,
    // `ws` is CommonJS, and requires modules of Node.
    banner: {
      js: "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)",
    },
    logLevel: 'warning',
  })
  const scripts = new Map(outputFiles.map(({ path, text }) => [basename(path), text]))
  return { scripts, sources: Object.keys(metafile.inputs) }
}

/** Returns the licences of the packages that a bundle has parts of, from their own files. Throws if one has none. */
export async function noticesOf(sources: readonly string[]): Promise<string> {
  const folders = sources.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [])
  const notices = [...new Set(folders)].toSorted().map(async (folder) => {
    const files = (await readdir(join(PROJECT, folder))).filter((file) => /^(licen[cs]e|notice)/i.test(file))
    if (files.length === 0) throw new Error(`${folder} has no licence file`)
    const texts = files.toSorted().map((file) => readFile(join(PROJECT, folder, file), 'utf8'))
    return [folder.replace(/^.*node_modules\//, ''), ...(await Promise.all(texts))].join('\n\n')
  })
  return (await Promise.all(notices)).join(`\n${'-'.repeat(80)}\n\n`)
}

const MANIFEST = {
  name: 'payment-hub-kit',
  version: VERSION,
  description: 'For shops that take payments by the payment hub: its commands, and its typed client',
  license: 'UNLICENSED',
  type: 'module',
  bin: 'kit.js',
  exports: { '.': { types: './client.d.ts', default: './client.js' }, './*': './*' },
  types: './client.d.ts',
  engines: { node: '>=20.12' },
}

const README = `# The kit of the payment hub

For developers of shops. The hub that you have it from serves the documents at \`/docs\`.

- \`node package/kit.js --help\` lists the commands: the listener, the trigger, the certificate, and help with reports
  and with the settings. They use the hub that the package came from. Where the package is installed, they are
  \`node_modules/.bin/payment-hub-kit\`. Do not ask a registry for the name: the package of this hub is not there.
- \`import { createHub } from 'payment-hub-kit'\` is the typed client.
- \`client.php\` and \`client.py\` are the clients for PHP and Python.
- \`NOTICES.txt\` has the licences of the packages that \`kit.js\` has parts of.
`
