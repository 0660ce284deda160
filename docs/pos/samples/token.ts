const HUB = 'https://hub.example.com'

const answer = await fetch(`${HUB}/v1/guardian`, {
  headers: { authorization: `Bearer ${process.env.API_KEY}` },
})
if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`)
const { token, expiration } = (await answer.json()) as { token: string; expiration: number }
// Keep both. Ask again some minutes before `expiration` (Unix seconds), and after a 401.
