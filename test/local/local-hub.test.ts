import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { type Server, createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort, listenAnywhere } from '../../src/programs/free-port.ts'
import { startHub, startHubAnywhere } from '../../src/local/local-hub.ts'

let folder: string
let program: string
let stranger: Server
let taken: number

/** Answers like a hub, on the given port; ends if the port is taken. */
const HUB = `
import { createServer } from 'node:http'
const port = Number(process.argv.find((word) => word.startsWith('--port=')).slice('--port='.length))
createServer((request, response) => {
  response.writeHead(401, { 'x-request-id': request.headers['x-request-id'] ?? '' }).end()
}).listen(port, '127.0.0.1')
`

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'payment-hub-'))
  program = join(folder, 'hub.mjs')
  await writeFile(program, HUB)
  // The answer of a PSP's API to a request without a key.
  stranger = createServer((_, response) => response.writeHead(401).end('{}'))
  taken = await listenAnywhere(stranger)
})
afterAll(async () => {
  stranger.close()
  await once(stranger, 'close')
  await rm(folder, { recursive: true })
})

function place() {
  return { stateDir: join(folder, 'state'), secretsFile: join(folder, 'secrets') }
}

it('another server on the port is not mistaken for the hub', async () => {
  await expect(startHub({ ...place(), port: taken }, [program])).rejects.toThrow('the hub did not start')
})

it('a hub whose port was taken meanwhile starts on another one', async () => {
  const ports = [taken, await freePort()]
  const next = async () => ports.shift() ?? 0
  const [, free] = ports
  const hub = await startHubAnywhere(place(), [program], next)
  expect(hub).toMatchObject({ port: free, url: `http://localhost:${free}` })
  await hub.stop()
})

it('a hub that does not start for another reason is not tried again', async () => {
  let tries = 0
  const portOf = () => {
    tries += 1
    return freePort()
  }
  await expect(startHubAnywhere(place(), [join(folder, 'no-such-file.mjs')], portOf)).rejects.toThrow(
    'the hub did not start',
  )
  expect(tries).toBe(1)
})
