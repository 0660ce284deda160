import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { expect, it } from 'vitest'
import { jsonLine, splitLines } from '../../src/contract/json-lines.ts'

const EVERY = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code))
const VALUES = [
  EVERY.slice(0, 0x8000).join(''),
  EVERY.slice(0x8000).join(''),
  '',
  { '\u2028': ['\u0085\\u2029'] },
]

async function all(lines: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = []
  for await (const line of lines) found.push(line)
  return found
}
function values(lines: readonly string[]): unknown[] {
  return lines.map((line): unknown => JSON.parse(line))
}
function cut(text: string, size: number): Readable {
  const parts = Array.from({ length: Math.ceil(text.length / size) }, (_, at) => at * size)
  return Readable.from(parts.map((from) => text.slice(from, from + size)))
}

it.each([999, 64 * 1024])('lines of any text come back, however it is cut up (%i)', async (size) => {
  const text = VALUES.map(jsonLine).join('')
  expect(values(await all(splitLines(cut(text, size))))).toEqual(VALUES)
  expect(values(await all(splitLines(cut(text.trimEnd(), size))))).toEqual(VALUES)
})

it('a line is one line to readers that also end lines elsewhere', async () => {
  expect(values(await all(createInterface(Readable.from(VALUES.map(jsonLine)))))).toEqual(VALUES)
})

it('separators that a line has as they are do not end it', async () => {
  const line = JSON.stringify(['\u0085', '\u2028', '\u2029'])
  expect(await all(splitLines(Readable.from([`${line}\n`])))).toEqual([line])
})

it('a line without an end is refused before it fills the memory', async () => {
  async function* endless() {
    for (;;) yield 'x'.repeat(1_000_000)
  }
  await expect(all(splitLines(endless()))).rejects.toThrow('characters')
})
