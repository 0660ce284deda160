import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { VERSION } from '../../platform/version.ts'
import { PROJECT } from '../../programs/wrangler.ts'
import { tarEntry } from '../tar.ts'

/**
 * Makes the package for developers of shops: their commands, and the clients. The archive has no end yet,
 * because the hub adds its own address to it (src/site/routes.ts). Equal sources make equal bytes.
 */
export async function kitPackage(clients: ReadonlyMap<string, string | Uint8Array>): Promise<Uint8Array> {
  const files = new Map([
    ['package.json', `${JSON.stringify(MANIFEST, null, 2)}\n`],
    ['README.md', README],
    ['kit.js', (await bundledKit()).script],
    ...clients,
  ])
  const entries = [...files].map(([path, content]) => tarEntry(`package/${path}`, Buffer.from(content)))
  return gzipSync(Buffer.concat(entries), { level: 9 })
}

/** Bundles the commands into one script. `sources` are the files that it is made of. */
export async function bundledKit(): Promise<{ script: string; sources: string[] }> {
  const { outputFiles, metafile } = await build({
    entryPoints: [join(PROJECT, 'src', 'kit', 'kit.ts')],
    absWorkingDir: PROJECT,
    write: false,
    metafile: true,
    bundle: true,
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
  return { script: outputFiles[0]?.text ?? '', sources: Object.keys(metafile.inputs) }
}

const MANIFEST = {
  name: 'payment-hub-kit',
  version: VERSION,
  description: 'For shops that take payments by the payment hub: its commands, and its typed client',
  type: 'module',
  bin: 'kit.js',
  exports: { '.': { types: './client.d.ts', default: './client.js' }, './*': './*' },
  types: './client.d.ts',
  engines: { node: '>=20.12' },
}

const README = `# The kit of the payment hub

For developers of shops. The hub that you have it from serves the documents at \`/docs\`.

- \`npx payment-hub-kit --help\` lists the commands: the listener, the trigger, the certificate, and help with reports
  and with the settings. They use the hub that the package came from.
- \`import { createHub } from 'payment-hub-kit'\` is the typed client.
- \`client.php\` and \`client.py\` are the clients for PHP and Python.
`
