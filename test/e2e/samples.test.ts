import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, inject, it, vi } from 'vitest'
import { freePort } from '../../src/programs/free-port.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { read } from '../docs/documents.ts'
import { scriptedHub } from '../client/scripted-hub.ts'
import { isInstalled } from '../support/installed.ts'
import { SIGNING_SECRET, type SignedReport, signedReports } from '../support/shops/signed-reports.ts'
import { choose, next, openPos } from './clients.ts'

const hub = inject('hub')

/** The languages with samples of all steps. `known` names a job whose id is in JOB. */
const LANGUAGES = {
  sh: { known: '', run: ['bash', '-euo', 'pipefail'] },
  ts: { known: "const job = { paymentJob: process.env['JOB'] }", run: [process.execPath] },
  py: { known: 'job = {"paymentJob": os.environ["JOB"]}', run: ['python3'] },
  php: { known: "$job = ['paymentJob' => getenv('JOB')];", run: ['php'] },
} as const
const NAMES = Object.keys(LANGUAGES) as (keyof typeof LANGUAGES)[]

/** A Rack application needs a server. This one is only for the test. */
const RACK = (port: number) => `
require "socket"
require "stringio"
$stdout.sync = true
TCPServer.open("127.0.0.1", ${port}) do |server|
  loop do
    socket = server.accept
    head = socket.gets("\\r\\n\\r\\n").b
    body = socket.read(head[/^content-length: (\\d+)/i, 1].to_i)
    env = { "rack.input" => StringIO.new(body) }
    head.scan(/^(webhook-\\w+): ([^\\r]*)/i) { |name, value| env["HTTP_" + name.upcase.tr("-", "_")] = value }
    socket.write("HTTP/1.1 #{Reports.call(env).first} \\r\\nConnection: close\\r\\n\\r\\n")
    socket.close
  end
end`

/** The command that starts each language's receiver of reports on a port. */
const RECEIVERS: Readonly<Record<string, (file: string, port: number) => string[]>> = {
  ts: (file) => [process.execPath, file],
  py: (file) => ['python3', file],
  php: (file, port) => ['php', '-S', `127.0.0.1:${port}`, file],
  go: (file) => ['go', 'run', file],
  rb: (file) => ['ruby', file],
  java: (file) => ['java', file],
}

function sample(name: string, language: string, url = hub.url): string {
  return read(`docs/pos/samples/${name}.${language}`).replaceAll('https://hub.example.com', url)
}

const folders: string[] = []
const children: ChildProcess[] = []
afterAll(async () => {
  for (const child of children) end(child)
  for (const folder of folders) await rm(folder, { recursive: true, force: true })
})

/** Pastes samples of a language into one file, in order, as a reader does. */
async function paste(language: string, parts: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'payment-hub-sample-'))
  folders.push(folder)
  const file = join(folder, `sample.${language === 'ts' ? 'mts' : language}`)
  await writeFile(file, parts.join('\n'))
  return file
}

/** Starts a program in its own process group, because `go run` and `java` start further processes. */
function start([program = '', ...words]: readonly string[], env: Record<string, string>) {
  const child = spawn(program, words, { env: { ...process.env, ...env }, detached: true })
  children.push(child)
  const said = { text: '' }
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk: Buffer) => (said.text += chunk.toString()))
  return { child, said }
}

function end({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
}

async function run(
  language: keyof typeof LANGUAGES,
  parts: readonly string[],
  env: Record<string, string>,
): Promise<string> {
  const { child, said } = start([...LANGUAGES[language].run, await paste(language, parts)], env)
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(said.text)
  return said.text
}

describe.each(NAMES)('the samples in %s', (language) => {
  const { known, run: words } = LANGUAGES[language]
  const skip = !isInstalled(words[0]) || (language === 'sh' && !isInstalled('curl'))

  it.skipIf(skip)('are one program: it takes a payment, and gives money back', async () => {
    const { apiKey } = await openPos(hub)
    const parts = ['token', 'create', 'read', 'refund'].map((name) => sample(name, language))
    const { child, said } = start([...words, await paste(language, parts)], { API_KEY: apiKey })
    const payUrl = await vi.waitFor(
      () => /http:\S*\/pay\/\S+/.exec(said.text)?.[0] ?? Promise.reject(said.text),
      20_000,
    )
    await next(await choose(payUrl, 'paid'))
    expect(await once(child, 'close'), said.text).toEqual([0, null])
    expect(said.text).toMatch(/SUCCESS\s+PENDING/)
  })

  it.skipIf(skip)('capture a part of what is reserved', async () => {
    const { apiKey, create, read: readJob } = await openPos(hub)
    const reserved = { amount: '50.00', payment_method: 'creditcard', capture: 'manual' }
    const { paymentJob: JOB, payUrl } = await create('https://shop.example.com', reserved)
    await next(await choose(payUrl, 'paid'))
    await vi.waitFor(
      async () => expect(await readJob(JOB)).toMatchObject({ amountAuthorized: '50.00' }),
      20_000,
    )
    const parts = [sample('token', language), known, sample('capture', language)]
    expect(await run(language, parts, { API_KEY: apiKey, JOB })).toMatch(/^(PENDING|SUCCESS)\s*$/)
    await vi.waitFor(async () => expect(await readJob(JOB)).toMatchObject({ amountPaid: '20.00' }), 20_000)
  })

  it.skipIf(skip)('sell at a terminal, and follow it to its end', async () => {
    const { apiKey } = await openPos(hub)
    const sale = sample('terminal', language).replace('A-1001', 'A-1001 sandbox-pin')
    const said = await run(language, [sample('token', language), sale], { API_KEY: apiKey })
    expect(said.trim().split('\n')).toEqual(expect.arrayContaining(['card-read', 'authorising']))
    expect(said.trim()).toMatch(/\nSUCCESS$/)
  })

  it.skipIf(skip)('show what the hub says where it refuses', async () => {
    const { apiKey } = await openPos(hub)
    await expect(run(language, [sample('token', language)], { API_KEY: 'wrong' })).rejects.toThrow(
      'api-key-invalid',
    )
    const parts = [sample('token', language), known, sample('read', language)]
    const env = { API_KEY: apiKey, JOB: crypto.randomUUID() }
    await expect(run(language, parts, env)).rejects.toThrow('job-not-found')
  })

  it.skipIf(skip)('show what an edge answers in HTML', async () => {
    const edge = await scriptedHub()
    const { url } = edge.script('/', [{ status: 502, body: '<h1>Bad gateway</h1>' }])
    const token = sample('token', language, url)
    await expect(run(language, [token], { API_KEY: 'a key' })).rejects.toThrow(/502[^]*<h1>|<h1>[^]*502/)
    edge.close()
  })
})

const secret = { SIGNING_SECRET }

describe.each(Object.entries(RECEIVERS))('a receiver of reports in %s', (language, words) => {
  it.skipIf(!isInstalled(words('', 0)[0] ?? ''))(
    'takes what the hub has signed just now, and refuses all else',
    async () => {
      const port = await freePort()
      const parts = [
        sample('verify', language).replace('3000', String(port)),
        language === 'rb' ? RACK(port) : '',
      ]
      const { child, said } = start(words(await paste(language, parts), port), secret)
      const answerTo = async ({ headers, body }: SignedReport) =>
        (await fetch(`http://127.0.0.1:${port}/report`, { method: 'POST', body, headers })).status
      const [genuine] = signedReports()
      await vi.waitFor(async () => expect(genuine && (await answerTo(genuine)), said.text).toBe(204), {
        timeout: 50_000,
        interval: 300,
      })
      await vi.waitFor(() => expect(said.text).toMatch(/A-é.*SUCCESS/), 15_000)
      for (const report of signedReports())
        expect(await answerTo(report), report.name).toBe(report.fault === null ? 204 : 401)
      end(child)
    },
  )
})

it.skipIf(!isInstalled('openssl'))(
  'the shell distinguishes a genuine report from forged and stale ones',
  async () => {
    const parts = ['cd "$(dirname "$0")"; printf %s "$BODY" > body.json', sample('verify', 'sh')]
    const judged = signedReports().map(async ({ name, headers, body, fault }) => {
      const given = ['WEBHOOK_ID', 'WEBHOOK_TIMESTAMP', 'WEBHOOK_SIGNATURE'].map(
        (variable) => [variable, headers[variable.toLowerCase().replace('_', '-')] ?? ''] as const,
      )
      const said = await run('sh', parts, { ...secret, BODY: body, ...Object.fromEntries(given) })
      expect(said, name).toMatch(fault === null ? /^genuine\n$/ : /^(forged|stale)\n$/)
    })
    await Promise.all(judged)
  },
)

it('each sample is run here', async () => {
  const files = await readdir(join(PROJECT, 'docs/pos/samples'))
  const steps = ['token', 'create', 'read', 'capture', 'refund', 'terminal'].flatMap((name) =>
    NAMES.map((one) => `${name}.${one}`),
  )
  const receivers = ['sh', ...Object.keys(RECEIVERS)].map((language) => `verify.${language}`)
  // certify.test.ts tests the shops.
  expect(files.toSorted()).toEqual([...steps, ...receivers, 'shop'].toSorted())
})
