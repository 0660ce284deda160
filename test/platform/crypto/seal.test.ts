import { describe, expect, it } from 'vitest'
import { fromBase64, toBase64 } from '../../../src/platform/crypto/hash.ts'
import { keyIdOf, seal, sealingKeyId, unseal } from '../../../src/platform/crypto/seal.ts'

const TEXT = '{"apiKey":"live_abcdefghijkl"}'
const sealed = await seal('secret', 'account1', TEXT)

describe('a seal', () => {
  it.each([
    ['credentials', TEXT],
    ['nothing', ''],
    ['any script', 'é € 👍 日本'],
    ['a long text', 'x'.repeat(20_000)],
  ])('returns the sealed text: %s', async (_, text) => {
    expect(await unseal('secret', 'account1', await seal('secret', 'account1', text))).toBe(text)
  })

  it('differs each time, and reveals nothing of the text', async () => {
    const again = await seal('secret', 'account1', TEXT)
    expect(again).not.toBe(sealed)
    expect(again.split('.')[1]).not.toBe(sealed.split('.')[1])
    expect(atob(again.split('.')[2] ?? '')).not.toContain('apiKey')
  })

  it.each([
    ['another secret', 'secret2', 'account1'],
    ['another name', 'secret', 'account2'],
    ['an empty name', 'secret', ''],
    ['name and secret swapped', 'account1', 'secret'],
  ])('does not open under %s', async (_, secret, name) => {
    await expect(unseal(secret, name, sealed)).rejects.toThrow()
  })

  it('does not open when any of its bytes is changed', async () => {
    const [id = '', iv = '', text = ''] = sealed.split('.')
    const changed = [
      ...changes(iv).map((other) => `${id}.${other}.${text}`),
      ...changes(text).map((other) => `${id}.${iv}.${other}`),
    ]
    expect(changed).toHaveLength(12 + TEXT.length + 16)
    const opened = await Promise.allSettled(changed.map((other) => unseal('secret', 'account1', other)))
    expect(opened.filter(({ status }) => status === 'fulfilled')).toEqual([])
  })

  it.each([
    ['empty', ''],
    ['only a point', '.'],
    ['without the id of its key', sealed.slice(sealed.indexOf('.') + 1)],
    ['without its vector', sealed.replace(/\.[^.]+\./, '..')],
    ['without its text', sealed.replace(/[^.]+$/, '')],
    ['longer by a part', `${sealed}.AAAA`],
    ['cut short', sealed.slice(0, -4)],
    ['no base64', '!.!'],
  ])('does not open when it is %s', async (_, broken) => {
    await expect(unseal('secret', 'account1', broken)).rejects.toThrow()
  })
})

describe('a secret of several keys', () => {
  it.each(['new secret', 'new,secret', ' new\n\tsecret '])('opens the seals of each (%j)', async (keys) => {
    expect(await unseal(keys, 'account1', sealed)).toBe(TEXT)
    expect(await unseal(keys, 'account1', await seal('new', 'account1', TEXT))).toBe(TEXT)
  })

  it('seals with the first', async () => {
    const anew = await seal('new secret', 'account1', TEXT)
    expect(keyIdOf(anew)).toBe(await sealingKeyId('new'))
    expect(keyIdOf(anew)).not.toBe(keyIdOf(sealed))
    await expect(unseal('secret', 'account1', anew)).rejects.toThrow('is missing')
    expect(await unseal('new', 'account1', anew)).toBe(TEXT)
  })

  it('must have at least one', async () => {
    await expect(seal(' , ', 'account1', TEXT)).rejects.toThrow('SEALING_KEY has no key')
  })
})

/** The same base64 with one bit changed, for each of its bytes. */
function changes(base64: string): string[] {
  const bytes = fromBase64(base64)
  return Array.from(bytes, (_, i) => toBase64(bytes.map((byte, j) => (i === j ? byte ^ 1 : byte))))
}
