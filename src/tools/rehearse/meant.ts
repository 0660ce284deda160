import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { KINDS } from '../../job/core/replay.ts'
import { PROJECT } from '../wrangler.ts'

/** A change that the next release means: `*` in it stands for any text. The changelog says `note`. */
export type Meant = { kind: string; change: string; note: string }

const Line = v.strictObject({ kind: v.picklist(KINDS), changes: v.array(v.string()), note: v.string() })

/** Reads the changes that this checkout means. */
export function readMeant(): Meant[] {
  const path = join(PROJECT, 'rehearsal.json')
  const lines = v.parse(v.pipe(v.string(), v.parseJson(), v.array(Line)), readFileSync(path, 'utf8'))
  return lines.flatMap(({ changes, ...line }) => changes.map((change) => ({ ...line, change })))
}

export function isMeant({ kind, change }: Meant, of: { kind: string; change: string }): boolean {
  const parts = change.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return kind === of.kind && new RegExp(`^${parts.join('.*')}$`, 'u').test(of.change)
}
