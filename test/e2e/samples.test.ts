import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, it, vi } from 'vitest'
import { freePort } from '../../src/tools/local/free-port.ts'
import { PROJECT } from '../../src/tools/wrangler.ts'
import { read } from '../docs/documents.ts'
import { choose, next } from './clients.ts'

const hub = inject('hub')

/**
 * How the samples of a language are run, and how it says that there is a job already, whose id is
 * in JOB.
 */
type Language = { program: string; words: string[]; known: string; serve?: string[] }
const LANGUAGES = {
  sh: { program: 'bash', words: ['-euo', 'pipefail'], known: '' },
  ts: { program: process.execPath, words: [], known: "const job = { paymentJob: process.env['JOB'] }" },
  py: { program: 'python3', words: [], known: 'job = {"paymentJob": os.environ["JOB"]}' },
  php: { program: 'php', words: [], known: "$job = ['paymentJob' => getenv('JOB')];", serve: ['-S'] },
} satisfies Record<string, Language>
type Name = keyof typeof LANGUAGES
const NAMES = Object.keys(LANGUAGES) as Name[]

function sample(name: string, language: Name): string {
  return read(`docs/pos/samples/${name}.${language}`).replaceAll('https://hub.example.com', hub.url)
}

const folders: string[] = []
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** Puts samples of a language into one file, in their order, as a reader does. */
async function writeProgram(language: string, parts: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-sample-'))
  folders.push(folder)
  const file = join(folder, `sample.${language === 'ts' ? 'mts' : language}`)
  const text = parts.map((part) => (language === 'php' ? part.replace('<?php\n', '') : part)).join('\n')
  await writeFile(file, language === 'php' ? `<?php\n${text}` : text)
  return file
}

async function run(language: Name, parts: readonly string[], env: Record<string, string>): Promise<string> {
  const { program, words }: Language = LANGUAGES[language]
  const file = await writeProgram(language, parts)
  return new Promise((resolve, reject) => {
    execFile(program, [...words, file], { env: { ...process.env, ...env } }, (error, out, err) =>
      error ? reject(new Error(`${error.message}\n${out}${err}`)) : resolve(out),
    )
  })
}

async function makePos() {
  const made = await fetch(`${hub.url}/operator/v1/pos`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${hub.secrets['OPERATOR_TOKEN']}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ name: 'Samples' }),
  })
  return (await made.json()) as { apiKey: string; signingSecret: string }
}

describe.each(NAMES)('the samples in %s', (language) => {
  const { program, words, known, serve }: Language = LANGUAGES[language]
  const isHere = spawnSync(program, ['--version']).status === 0
  if (!isHere) console.warn(`No ${program} here: the samples in ${language} are not run.`)
  let pos: Awaited<ReturnType<typeof makePos>>
  beforeAll(async () => {
    pos = await makePos()
  })

  it.skipIf(!isHere)('get a token, create a job, read it once it is paid, and give money back', async () => {
    const env = { API_KEY: pos.apiKey }
    const created = await run(language, [sample('token', language), sample('create', language)], env)
    const [payUrl = '', id = ''] = /http:\S*\/pay\/([0-9a-f-]+)/.exec(created) ?? []
    await next(await choose(payUrl, 'paid'))
    const parts = [sample('token', language), known, sample('read', language), sample('refund', language)]
    const rest = await run(language, parts, { ...env, JOB: id })
    expect(rest).toContain('SUCCESS')
    expect(rest.slice(rest.indexOf('SUCCESS'))).toContain('PENDING')
  })

  it.skipIf(!isHere)('show what the hub says where it refuses', async () => {
    await expect(run(language, [sample('token', language)], { API_KEY: 'wrong' })).rejects.toThrow(
      'api-key-invalid',
    )
    const parts = [sample('token', language), known, sample('read', language)]
    const JOB = crypto.randomUUID()
    await expect(run(language, parts, { API_KEY: pos.apiKey, JOB })).rejects.toThrow('job-not-found')
  })

  it.skipIf(!isHere)('take a report that the hub has signed, and refuse any other', async () => {
    const body = JSON.stringify({ orderNumber: 'A-é', status: 'SUCCESS' })
    const signature = createHmac('sha512', pos.signingSecret).update(body).digest('hex')
    const forged = createHmac('sha512', 'another').update(body).digest('hex')
    if (language === 'sh') return expectShellToTell(body, pos.signingSecret, { signature, forged })

    const port = await freePort()
    const file = await writeProgram(language, [sample('verify', language).replace('3000', String(port))])
    const child = spawn(program, serve ? [...serve, `127.0.0.1:${port}`, file] : [...words, file], {
      env: { ...process.env, SIGNING_SECRET: pos.signingSecret },
    })
    children.push(child)
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const report = async (given: string | undefined) => {
      const headers = given === undefined ? {} : { 'x-signature': given }
      return (await fetch(`http://127.0.0.1:${port}/report`, { method: 'POST', body, headers })).status
    }
    await vi.waitFor(async () => expect(await report(signature)).toBe(204), 20_000)
    await vi.waitFor(() => expect(output).toContain('A-é SUCCESS'), 15_000)
    for (const given of [forged, signature.slice(1), 'é'.repeat(64), undefined])
      expect(await report(given)).toBe(401)
    child.kill()
    await once(child, 'exit')
  })
})

async function expectShellToTell(
  body: string,
  secret: string,
  { signature, forged }: Record<'signature' | 'forged', string>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-sample-'))
  folders.push(folder)
  await writeFile(join(folder, 'body.json'), body)
  const parts = [`cd '${folder}'`, sample('verify', 'sh')]
  const tell = (given: string) => run('sh', parts, { SIGNING_SECRET: secret, X_SIGNATURE: given })
  expect(await tell(signature)).toBe('genuine\n')
  expect(await tell(forged)).toBe('forged\n')
}

it('each sample is there in each language, and is run here', async () => {
  const files = await readdir(join(PROJECT, 'docs/pos/samples'))
  const names = ['token', 'create', 'read', 'refund', 'verify']
  const expected = names.flatMap((name) => NAMES.map((language) => `${name}.${language}`))
  expect(files.toSorted()).toEqual(expected.toSorted())
})
