// The forms are streams of the Workers' runtime.
import 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { serveConsole } from '../../src/console/serve.tsx'
import { ORIGIN, SEALING_KEY } from './console-client.ts'
import { operatorApiDouble } from './operator-api-double.ts'

const FORM = 'application/x-www-form-urlencoded'

function send(path: string, body: BodyInit, type: string, { ask } = operatorApiDouble()) {
  const headers = { origin: ORIGIN, 'sec-fetch-site': 'same-origin', 'content-type': type }
  return serveConsole(new Request(ORIGIN + path, { method: 'POST', headers, body }), ask, SEALING_KEY)
}

describe('a form of the console', () => {
  const large = 'a=&'.repeat(30_000)

  it.each(['/console/sign-in', '/console/accounts/addAccount'])('at %s has 64 KiB at most', async (path) => {
    expect((await send(path, large, FORM)).status).toBe(413)
  })

  it.each(['/console/sign-in', '/console/accounts/addAccount'])(
    'at %s is not read in another form',
    async (path) => {
      const multipart = '--x\r\nContent-Disposition: form-data; name="token"\r\n\r\ngood\r\n--x--'
      expect((await send(path, multipart, 'multipart/form-data; boundary=x')).status).toBe(415)
    },
  )

  it('of a stranger is not read at all', async () => {
    const stranger = operatorApiDouble({
      answers: { 'GET /me': Response.json({ code: 'credentials-missing', status: 401 }, { status: 401 }) },
    })
    let isRead = false
    const body = new ReadableStream(
      {
        pull(controller) {
          isRead = true
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const response = await send('/console/accounts/addAccount', body, FORM, stranger)
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/console/sign-in')
    expect(isRead).toBe(false)
  })
})
