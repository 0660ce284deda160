import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { vi } from 'vitest'
import { objectOf } from '../support/jobs/job.ts'

const LEVELS = ['log', 'info', 'warn', 'error', 'debug'] as const

/** Keeps everything that the hub logs, as text, and prints none of it. */
export function watchLogs() {
  const lines: string[] = []
  for (const level of LEVELS)
    vi.spyOn(console, level).mockImplementation((...values: unknown[]) => void lines.push(textOf(values)))
  return { lines }
}

/** Returns a value as text in full depth, with what JSON leaves out: errors, headers, bytes, maps. */
export function textOf(value: unknown, seen: Set<object> = new Set()): string {
  if (typeof value === 'function') return value.name
  if (typeof value !== 'object' || value === null) return String(value)
  if (seen.has(value)) return ''
  seen.add(value)
  if (ArrayBuffer.isView(value)) return new TextDecoder().decode(value)
  const parts: unknown[] = Reflect.ownKeys(value).flatMap((key): unknown[] => [
    key.toString(),
    Reflect.get(value, key),
  ])
  if (value instanceof Error) parts.push(value.name, value.message, value.stack, value.cause)
  if (value instanceof Request || value instanceof Response) parts.push(value.url, value.headers)
  if (Symbol.iterator in value && typeof value[Symbol.iterator] === 'function') {
    parts.push(...(value as Iterable<unknown>))
  }
  return parts.map((part) => textOf(part, seen)).join(' ')
}

/** Returns every key and value of KV as text. */
export async function dumpKv(): Promise<string> {
  const { keys } = await env.TOKENS.list()
  return textOf(await Promise.all(keys.map(async (key) => [key, await env.TOKENS.get(key.name)])))
}

/** Returns every row of every table of D1 as text. */
export async function dumpD1(): Promise<string> {
  const tables = await env.DB.prepare("select name from sqlite_master where type = 'table'").all<{
    name: string
  }>()
  const own = tables.results.filter(({ name }) => !name.startsWith('_cf_'))
  const rows = await Promise.all(
    own.map(async ({ name }) => [name, (await env.DB.prepare(`select * from "${name}"`).all()).results]),
  )
  return textOf(rows)
}

/** Returns all that the objects of these jobs store, as text. */
export async function dumpJobs(ids: readonly string[]): Promise<string> {
  const dumps = ids.map((id) =>
    runInDurableObject(objectOf(id), (_, state) => textOf([...state.storage.kv.list()])),
  )
  return (await Promise.all(dumps)).join('\n')
}

/** An error of JSON.parse quotes ten characters of its text: so much of a secret must stay secret. */
const PIECE = 10

/** Returns every run of ten characters of a secret. */
function piecesOf(secret: string): string[] {
  return Array.from({ length: Math.max(1, secret.length - PIECE + 1) }, (_, start) =>
    secret.slice(start, start + PIECE),
  )
}

/** Returns whether a text has a piece of a secret. */
export function holds(text: string, secret: string): boolean {
  return piecesOf(secret).some((piece) => text.includes(piece))
}

/** Returns the text around the first piece of a secret, which shows where it came from. */
export function around(text: string, secret: string): string {
  const at = Math.min(
    ...piecesOf(secret).flatMap((piece) => (text.includes(piece) ? [text.indexOf(piece)] : [])),
  )
  return text.slice(Math.max(0, at - 150), at + 60)
}
