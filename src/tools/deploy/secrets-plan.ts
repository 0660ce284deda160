import { type Result, ok, refuse } from '../../platform/result.ts'

/** A file of secrets: the names that have a value in it, or null when it does not exist. */
export type SecretFile = { path: string; names: readonly string[] | null }

/** `given` was named by the operator; `own` is the file that the first deploy of the environment makes for itself. */
export type SecretFiles = { given: SecretFile | null; own: SecretFile }

/** What is done about secrets: a file may be made first; then these `names` of it are uploaded. */
export type SecretsPlan =
  | { from: 'account' }
  | {
      from: 'file'
      path: string
      isMade: boolean
      names: readonly string[]
      /** Whether the file has more than these names. */
      isPart: boolean
      /** Those whose values at the account are replaced. */
      replaced: readonly string[]
    }

/**
 * Decides where the secrets come from. Values that the account has are replaced only by a file that the operator names, and never
 * by new ones: with another SIGNING_ROOT every signing secret would change, and with another SEALING_KEY no account could be opened.
 */
export function planSecrets(
  required: readonly string[],
  atAccount: readonly string[],
  { given, own }: SecretFiles,
): Result<SecretsPlan, string> {
  const there = required.filter((name) => atAccount.includes(name))
  const missing = required.filter((name) => !atAccount.includes(name))
  const file = given ?? own
  if (given === null && missing.length === 0) return ok({ from: 'account' })
  if (file.names === null) {
    return there.length > 0
      ? refuse(given === null ? cannotMake(missing, own) : wouldReplace(there, given))
      : ok({ from: 'file', path: file.path, isMade: true, names: required, isPart: false, replaced: [] })
  }
  const { path, names } = file
  const absent = missing.filter((name) => !names.includes(name))
  if (absent.length > 0) return refuse(lacks(path, absent))
  const used = given === null ? missing : names
  return ok({
    from: 'file',
    path,
    isMade: false,
    names: used,
    isPart: used.length < names.length,
    replaced: used.filter((name) => atAccount.includes(name)),
  })
}

function wouldReplace(there: readonly string[], { path }: SecretFile): string {
  return (
    `${path} does not exist, and the hub at Cloudflare has secrets already (${there.join(', ')}). New ones would change every ` +
    'signing secret and lock the accounts at PSPs: so none were made. Leave --secrets-file out, or name the file of the first deploy.'
  )
}

function cannotMake(missing: readonly string[], { path }: SecretFile): string {
  return (
    `The hub at Cloudflare has some of its secrets, but not ${missing.join(', ')}. A new value could lock out what the old one opened, so ` +
    `none was made. Write the old value, or a new one if there never was any, in ${path} (NAME=value), or name a file with --secrets-file. Then deploy again.`
  )
}

function lacks(path: string, absent: readonly string[]): string {
  return `${path} has no value for ${absent.join(', ')}, and neither has the hub at Cloudflare. Add a line NAME=value for each, and deploy again.`
}
