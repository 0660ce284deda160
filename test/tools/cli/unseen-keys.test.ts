import { expect, it } from 'vitest'
import { askedHub, problem } from './asked-hub.ts'
import { runHub } from './run-hub.ts'

const { asked } = askedHub()

const REKEY = 'Before any pos revoke, repeat: pos rekey 0f3a6c1de9b24875a1c3e5f708192a3b'
const CREATE = 'These show others: pos rekey ID, pos resecret ID'

it.each<[string, string, () => Promise<Response>, boolean]>([
  ['pos rekey 0f3a6c1de9b24875a1c3e5f708192a3b', 'a 503', async () => problem(503), true],
  [
    'pos rekey 0f3a6c1de9b24875a1c3e5f708192a3b',
    'a broken connection',
    async () => Promise.reject(new TypeError('fetch failed')),
    true,
  ],
  ['pos rekey 0f3a6c1de9b24875a1c3e5f708192a3b', 'a 404', async () => problem(404), false],
  ['pos create --name x', 'a 503', async () => problem(503), true],
  ['pos create --name x', 'a 422', async () => problem(422), false],
])('hub %s that ends with %s says what to do about a key that nobody saw', async (line, _, answer, says) => {
  asked.mockImplementation(answer)
  const { code, out, err } = await runHub(line.split(' '))
  expect({ code, out }).toEqual({ code: 1, out: [] })
  expect(err.join('\n').includes(line.startsWith('pos rekey') ? REKEY : CREATE)).toBe(says)
})
