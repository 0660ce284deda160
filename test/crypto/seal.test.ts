import { describe, expect, it } from 'vitest'
import { fromBase64, toBase64 } from '../../src/crypto/bytes.ts'
import { seal, unseal } from '../../src/crypto/seal.ts'

const TEXT = '{"apiKey":"live_abcdefghijkl"}'
const sealed = await seal('secret', 'account1', TEXT)

describe('a seal', () => {
  it.each([
    ['credentials', TEXT],
    ['nothing', ''],
    ['any script', 'é € 👍 日本'],
    ['a long text', 'x'.repeat(20_000)],
  ])('gives back what it holds: %s', async (_, text) => {
    expect(await unseal('secret', 'account1', await seal('secret', 'account1', text))).toBe(text)
  })

  it('differs each time, and shows nothing of the text', async () => {
    const again = await seal('secret', 'account1', TEXT)
    expect(again).not.toBe(sealed)
    expect(again.split('.')[0]).not.toBe(sealed.split('.')[0])
    expect(atob(again.split('.')[1] ?? '')).not.toContain('apiKey')
  })

  it.each([
    ['another secret', 'secret2', 'account1'],
    ['another name', 'secret', 'account2'],
    ['an empty name', 'secret', ''],
    ['name and secret swapped', 'account1', 'secret'],
  ])('does not open under %s', async (_, secret, name) => {
    await expect(unseal(secret, name, sealed)).rejects.toThrow()
  })

  it('does not open when any one of its bytes is changed', async () => {
    const [iv = '', text = ''] = sealed.split('.')
    const changed = [
      ...changes(iv).map((other) => `${other}.${text}`),
      ...changes(text).map((other) => `${iv}.${other}`),
    ]
    expect(changed).toHaveLength(12 + TEXT.length + 16)
    const opened = await Promise.allSettled(changed.map((other) => unseal('secret', 'account1', other)))
    expect(opened.filter(({ status }) => status === 'fulfilled')).toEqual([])
  })

  it.each([
    ['empty', ''],
    ['only a point', '.'],
    ['without its vector', `.${sealed.split('.')[1]}`],
    ['without its text', `${sealed.split('.')[0]}.`],
    ['cut short', sealed.slice(0, -4)],
    ['no base64', '!.!'],
  ])('does not open when it is %s', async (_, broken) => {
    await expect(unseal('secret', 'account1', broken)).rejects.toThrow()
  })
})

/** The same base64 with one bit changed, for each of its bytes. */
function changes(base64: string): string[] {
  const bytes = fromBase64(base64)
  return Array.from(bytes, (_, i) => toBase64(bytes.map((byte, j) => (i === j ? byte ^ 1 : byte))))
}
