import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import * as v from 'valibot'

/** A hub, and what opens it. The local hub's token is known without one. */
const Profile = v.object({
  url: v.string(),
  token: v.optional(v.string()),
  /** The service token of Cloudflare Access, for a hub behind Access. */
  access: v.optional(v.object({ id: v.string(), secret: v.string() })),
})
export type Profile = v.InferOutput<typeof Profile>

const File = v.pipe(v.string(), v.parseJson(), v.record(v.string(), Profile))
type Profiles = v.InferOutput<typeof File>

/** https://specifications.freedesktop.org/basedir-spec/latest/ */
export function profileFile(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'payment-hub', 'profiles.json')
}

/** The profiles by their names. Throws where the file is there and is not one of them. */
export function profiles(): Profiles {
  const file = profileFile()
  if (!existsSync(file)) return {}
  const read = v.safeParse(File, readFileSync(file, 'utf8'))
  if (read.success) return read.output
  throw new Error(`${file} has no profiles that this release can read. Correct it, or remove it.`)
}

/** Writes the profiles to a file that its owner alone can read: whole, or not at all. */
export function writeProfiles(all: Profiles): void {
  const file = profileFile()
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const part = `${file}.${process.pid}`
  writeFileSync(part, `${JSON.stringify(all, null, 2)}\n`, { mode: 0o600 })
  renameSync(part, file)
}
