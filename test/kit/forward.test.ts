import { once } from 'node:events'
import { type RequestListener, createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { forward } from '../../src/kit/listen.ts'
import type { ReportFrame } from '../../src/contract/report-frames.ts'

async function receiver(answer: RequestListener): Promise<string> {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/report`
}

const report: ReportFrame = {
  type: 'report',
  delivery: 'd1',
  job: 'j1',
  revision: 1,
  try: 1,
  to: 'listener',
  reportUrl: 'https://shop.example.com/report',
  headers: { 'content-type': 'application/json', 'x-signature': 'ab', 'webhook-id': 'msg_1' },
  body: '{"orderNumber":"A-é"}',
}

it('a receiver gets the body of a report and its headers, and of others only what HTTP needs', async () => {
  let got: { headers: Record<string, unknown>; body: string } | undefined
  const to = await receiver((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      got = { headers: { ...request.headers }, body }
      response.writeHead(204).end()
    })
  })
  expect(await forward(to, report)).toEqual({ type: 'answer', delivery: 'd1', status: 204 })
  expect(got?.body).toBe(report.body)
  const { host, connection, 'content-length': length, ...others } = got?.headers ?? {}
  expect(others).toEqual(report.headers)
  expect(host).toBe(new URL(to).host)
  expect(connection).toBeDefined()
  expect(length).toBe(String(Buffer.byteLength(report.body)))
})

it('a receiver gets no other header that a hub may have put beside those of a report', async () => {
  let got: NodeJS.Dict<string | string[]> = {}
  const to = await receiver((request, response) => {
    got = request.headers
    response.end()
  })
  const hostile = [
    'host',
    'cookie',
    'authorization',
    'x-forwarded-for',
    'origin',
    'upgrade',
    'transfer-encoding',
  ]
  const headers = { ...report.headers, ...Object.fromEntries(hostile.map((name) => [name, 'evil'])) }
  expect(await forward(to, { ...report, headers })).toMatchObject({ status: 200 })
  expect(Object.values(got)).not.toContain('evil')
})

it('the hub learns the status and the pause, even of an answer that never ends; a redirect is not followed', async () => {
  const to = await receiver((_, response) => {
    response.writeHead(302, { location: '/elsewhere', 'retry-after': '7' })
    response.write('more')
  })
  const answer = { type: 'answer', delivery: 'd1', status: 302, retryAfter: '7' }
  expect(await forward(to, report)).toEqual(answer)
})

it('the hub learns that a receiver refuses the connection, or breaks it off', async () => {
  const noConnection = { type: 'answer', delivery: 'd1', failed: 'no connection' }
  expect(await forward(await receiver((request) => request.socket.destroy()), report)).toEqual(noConnection)
  expect(await forward('http://127.0.0.1:1/', report)).toEqual(noConnection)
})
