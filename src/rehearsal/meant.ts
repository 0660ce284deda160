import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import { KINDS } from '../job/core/replay.ts'
import { PROJECT } from '../programs/wrangler.ts'

/** Changes that the next release means: `*` stands for any text. The changelog says `note`. */
export type Meant = v.InferOutput<typeof Meant>
const Meant = v.strictObject({ kind: v.picklist(KINDS), changes: v.array(v.string()), note: v.string() })

export function readMeant(): Meant[] {
  const path = join(PROJECT, 'rehearsal.json')
  return v.parse(v.pipe(v.string(), v.parseJson(), v.array(Meant)), readFileSync(path, 'utf8'))
}

/** Returns whether a change is one of those that are meant. */
export function isMeant({ kind, changes }: Meant, of: { kind: string; change: string }): boolean {
  return kind === of.kind && changes.some((change) => patternOf(change).test(of.change))
}

function patternOf(change: string): RegExp {
  const parts = change.split('*').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`, 'u')
}
