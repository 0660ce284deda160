import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstat, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises'
import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { newPayment } from '../../src/kit/payment.ts'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { writeOwnFile } from '../../src/programs/own-file.ts'

type Answer = (request: IncomingMessage, response: ServerResponse) => void

async function serve(answer: Answer) {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

function run(file: string, words: readonly string[], env: object, cwd: string) {
  return new Promise<string>((resolve) => {
    const child = execFile(
      process.execPath,
      [join(PROJECT, file), ...words],
      { cwd, env: { ...process.env, ...env }, timeout: 20_000 },
      (_, out, err) => resolve(out + err),
    )
    child.stdin?.end()
  })
}

const WORDS = '\u001b]0;title\u0007\u001b[2J\u202eevil\u009b\r\nA line of its own'
const HOSTILE = /(?![\n\t])[\p{Cc}\u202e]/u

const PROGRAMS: [name: string, file: string, words: string[]][] = [
  ['trigger', 'src/kit/kit.ts', ['trigger', 'paid']],
  ['trigger --json', 'src/kit/kit.ts', ['trigger', 'paid', '--json']],
  ['listen', 'src/kit/kit.ts', ['listen']],
  ['listen --json', 'src/kit/kit.ts', ['listen', '--json']],
  ['certify', 'src/kit/kit.ts', ['certify', 'HUB']],
  ['doctor', 'src/kit/kit.ts', ['doctor']],
  ['hub pos list', 'src/cli/hub.ts', ['pos', 'list']],
  ['hub audit export', 'src/cli/hub.ts', ['audit', 'export']],
]

it.each(PROGRAMS)('%s prints the words of a hub without control characters', async (_, file, words) => {
  const { server, url } = await serve((_request, response) => {
    response.writeHead(418, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ status: 418, detail: WORDS, code: WORDS, error: WORDS }))
  })
  server.once('upgrade', ({ headers }, socket) => {
    const accept = createHash('sha1').update(
      `${headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`,
    )
    const [protocol] = headers['sec-websocket-protocol']?.split(',') ?? []
    socket.write(
      `HTTP/1.1 101 x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept.digest('base64')}\r\n` +
        `Sec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
    )
    const ready = Buffer.from(JSON.stringify({ type: 'ready', pos: WORDS, as: 'answers' }))
    socket.write(Buffer.concat([Buffer.from([0x81, 126, ready.length >> 8, ready.length & 0xff]), ready]))
    // Answers the close of the program.
    socket.on('data', ([opcode]: Buffer) => opcode === 0x88 && socket.end(Buffer.from([0x88, 0])))
    // A program that listens would connect again for ever.
    if (words[0] === 'listen') setTimeout(() => socket.destroy(), 100)
  })
  const called = words.map((word) => (word === 'HUB' ? url : word))
  const folder = await mkdtemp(join(tmpdir(), 'hostile-'))
  const printed = await run(
    file,
    called,
    { HUB_URL: url, HUB_API_KEY: 'k'.repeat(160), OPERATOR_TOKEN: 't' },
    folder,
  )
  expect(printed).not.toMatch(HOSTILE)
  expect(printed).toContain('evil')
  expect(printed).not.toMatch(/^A line of its own/m)
})

it.each([
  [
    'a page that refreshes',
    '/return/x',
    (other: string) => `<meta http-equiv="refresh" content="0; url=${other}/">`,
  ],
  ['a payUrl of two slashes', '//HOST/pay/x', () => ''],
])('the customer of a trigger follows %s only at the hub', async (_, path, page) => {
  let visits = 0
  const other = await serve((_request, response) => {
    visits += 1
    response.end()
  })
  const hub = await serve((request, response) => {
    if (request.url?.startsWith('/pay')) response.writeHead(303, { location: '/sandbox/checkout/abc' }).end()
    else response.end(page(other.url))
  })
  const job = { error: null, status: 'PENDING' }
  const api = { getPaymentJob: async () => job } as unknown as Parameters<typeof newPayment>[0]['api']
  const stage = { hub: { url: hub.url, key: '' }, api, deadline: () => Date.now() + 1000, note: () => {} }
  const payUrl = `${hub.url}${path.replace('/return/', '/pay/').replace('HOST', new URL(other.url).host)}`
  const never = async () => {}
  const audience = {
    reported: () => [],
    comesBack: never,
    mustBePaid: never,
    mustBeUnpaid: never,
    paysAgain: never,
  }
  const payment = newPayment(stage, { paymentJob: 'j', payUrl }, audience)
  await expect(payment.comeBack()).rejects.toThrow('leads to')
  expect(visits).toBe(0)
})

it('a file of a program replaces a link, and only its owner can read it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'own-'))
  const [outside, path] = [join(folder, 'outside'), join(folder, 'certificate.html')]
  await writeFile(outside, 'kept')
  await symlink(outside, path)
  await symlink(outside, `${path}.part`)
  await writeOwnFile(path, 'new')
  expect(await readFile(outside, 'utf8')).toBe('kept')
  expect(await readFile(path, 'utf8')).toBe('new')
  const { mode } = await lstat(path)
  expect(mode & 0o777).toBe(0o600)
})
