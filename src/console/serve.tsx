import { renderToString } from 'preact-render-to-string'

export type Ask = (request: Request) => Promise<Response>

export const serveConsole = async (request: Request, ask: Ask): Promise<Response> => {
  const me = await ask(new Request(new URL('/operator/v1/me', request.url), { headers: request.headers }))
  return new Response(
    `<!doctype html>${renderToString(
      <html lang="en">
        <body>
          <h1>Console {me.status}</h1>
        </body>
      </html>,
    )}`,
    { headers: { 'content-type': 'text/html; charset=utf-8' } },
  )
}
