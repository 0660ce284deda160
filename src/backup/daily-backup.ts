import * as v from 'valibot'
import { type Manifest, PartEnd, jobLines, provenText } from '../contract/backup.ts'
import { directoryDays } from '../job-index/job-directory.ts'
import { MANIFEST, backupBucket, folderOf } from './bucket.ts'
import { sha256 } from '../platform/crypto/hash.ts'
import { log } from '../platform/log.ts'
import { eachMessage } from '../platform/queues.ts'
import { storedShape } from '../platform/stored.ts'
import { VERSION } from '../platform/version.ts'
import { registryPage } from './registry-rows.ts'
import { type Page, START, pageAt, signatureOf, signed } from './origin.ts'
import { auditPage, jobsPage } from './pages.ts'

/**
 * A message of the queue `backups`: the next page to write. `begun` (ms) names the backup's folder. `part`
 * is `registry`, `jobs-2026-01-31` or `audit`. `proven`: where the page begins as well, and what came before
 * it, signed; hubs up to 1.1 neither write nor read it.
 */
const BackupPage = v.object({
  begun: v.number(),
  part: v.string(),
  page: v.number(),
  after: v.nullable(v.string()),
  proven: v.optional(v.string()),
})
type BackupPage = v.InferOutput<typeof BackupPage>
/** Where the next page begins. */
type NextPage = Required<Pick<BackupPage, 'proven'>> & { after: string }
export const backupMessage = storedShape(BackupPage)

/** A day's backup begins from this hour (UTC), when it is night in Europe. */
const FROM_HOUR = 3

/** Runs each hour, and begins the day's backup unless it has begun already. */
export async function startBackup(env: Env, now: number): Promise<void> {
  const bucket = backupBucket(env)
  if (!bucket || new Date(now).getUTCHours() < FROM_HOUR) return
  const first = { begun: now, part: 'registry', page: 1, after: null }
  try {
    if ((await bucket.head(nameOf(first))) === null) await env.BACKUPS.send(backupMessage.write(first))
  } catch (error) {
    log.fault('queue.send-failed', error)
  }
}

/** Consumes the `backups` queue: each message writes one file of a backup, and sends the next message. */
export function consumeBackups(batch: MessageBatch, env: Env): Promise<void> {
  return eachMessage(batch, backupMessage, async (message) => {
    const bucket = backupBucket(env)
    // The bucket may have been unbound since the backup began.
    if (!bucket) return
    const next = await pageAfter(env, message, await writePage(env, bucket, message))
    if (next) await env.BACKUPS.send(backupMessage.write(next))
    else await writeManifest(env, bucket, message.begun)
  })
}

/**
 * Writes a page unless it exists, because a message may arrive twice. Returns where the next page begins,
 * as the writer of this one found it; null at the end of the part.
 */
async function writePage(env: Env, bucket: R2Bucket, message: BackupPage): Promise<NextPage | null> {
  const page = await pageOf(env, message)
  const { lines, next } = await linesAt(env, page)
  const { proofs, next: proven, end } = await signed(env.SIGNING_ROOT, page, lines, next)
  const text = provenText(lines, proofs)
  const hash = await sha256(text)
  const written = await bucket.put(nameOf(message), text, {
    ...ONCE,
    sha256: hash,
    customMetadata: {
      lines: String(lines.length),
      sha256: hash,
      next: next ?? '',
      proven: proven ?? '',
      end: JSON.stringify(end),
    },
  })
  const there = written ?? (await bucket.head(nameOf(message)))
  const { next: after, proven: place = '' } = there?.customMetadata ?? {}
  return after ? { after, proven: place } : null
}

/** Finds the page of a message. A hub up to 1.1 wrote where it begins without a proof: then the part has none. */
async function pageOf(env: Env, { begun: at, part, after, proven = '' }: BackupPage): Promise<Page> {
  const first = { begun: new Date(at).toISOString(), part, cursor: after, from: START }
  return (await pageAt(env.SIGNING_ROOT, part, proven)) ?? first
}

/** Writes only if the file does not exist (RFC 9110, section 13.1.2). */
const ONCE = { onlyIf: new Headers({ 'if-none-match': '*' }) }

async function linesAt(
  env: Env,
  { part, cursor }: Page,
): Promise<{ lines: readonly object[]; next: string | null }> {
  if (part === 'registry') {
    const page = await registryPage(env.DB, cursor)
    if (page === null) throw new Error('a page of the registry begins nowhere')
    return { lines: page.rows, next: page.next }
  }
  if (part === 'audit') {
    const { entries, next } = await auditPage(env, cursor ?? '0')
    return { lines: entries, next }
  }
  const page = await jobsPage(env, part.slice(JOBS.length), cursor)
  return { lines: jobLines(page), next: page.next }
}

const JOBS = 'jobs-'

/** Returns the next page, or null after the last. The audit log comes last: it covers the other files. */
async function pageAfter(env: Env, message: BackupPage, next: NextPage | null): Promise<BackupPage | null> {
  if (next) return { ...message, page: message.page + 1, ...next }
  const days = (await directoryDays(env)).toSorted()
  const parts = ['registry', ...days.map((day) => JOBS + day), 'audit']
  const part = parts[parts.indexOf(message.part) + 1]
  return part === undefined ? null : { begun: message.begun, part, page: 1, after: null }
}

function nameOf({ begun, part, page }: BackupPage): string {
  return `${folderOf(begun)}${part}-${String(page).padStart(6, '0')}.ndjson`
}

const PartEndText = v.pipe(v.string(), v.parseJson(), PartEnd)

/** Writes the manifest, which makes the folder a backup, and signs it if the hub wrote all of its files. */
async function writeManifest(env: Env, bucket: R2Bucket, begun: number): Promise<void> {
  const prefix = folderOf(begun)
  const files: Manifest['files'] = []
  const parts: PartEnd[] = []
  let listed: R2Objects | null = null
  do {
    const cursor: string | undefined = listed?.truncated ? listed.cursor : undefined
    listed = await bucket.list({ prefix, include: ['customMetadata'], ...(cursor ? { cursor } : {}) })
    for (const { key, customMetadata: { lines, sha256: hash = '', end = 'null' } = {} } of listed.objects) {
      files.push({ name: key.slice(prefix.length), lines: Number(lines), sha256: hash })
      const read = v.safeParse(PartEndText, end)
      if (read.success) parts.push(read.output)
    }
  } while (listed.truncated)
  const [release, at] = [VERSION, new Date(begun).toISOString()]
  const signature = await signatureOf(env.SIGNING_ROOT, release, parts)
  const manifest: Manifest = {
    format: 1,
    release,
    hub: env.HUB_HOSTS || 'payment-hub',
    begun: at,
    finished: new Date().toISOString(),
    files,
    ...(signature === null ? {} : { signed: { release, parts, signature } }),
  }
  await bucket.put(prefix + MANIFEST, `${JSON.stringify(manifest, null, 2)}\n`, ONCE)
}
