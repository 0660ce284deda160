import { DAY, HOUR } from '../contract/timestamp.ts'

/** How old (ms) the last backup may be: one a day, which may take half of one. */
const LATE = 36 * HOUR

/** The bucket of backups; null where none is bound. */
export function backupBucket(env: Env): R2Bucket | null {
  const binding: unknown = Reflect.get(env, 'BACKUP_BUCKET')
  return isBucket(binding) ? binding : null
}

function isBucket(binding: unknown): binding is R2Bucket {
  return typeof binding === 'object' && binding !== null && 'head' in binding && 'list' in binding
}

/** The folder of a day's backup (`2026-01-31/`). It is whole once it has the file. */
export function folderOf(time: number): string {
  return `${new Date(time).toISOString().slice(0, 10)}/`
}
export const MANIFEST = 'manifest.json'

/** When the last backup was whole, of those of three days; null where none was. */
export async function lastBackup(bucket: R2Bucket, now: number): Promise<Date | null> {
  const days = [now, now - DAY, now - 2 * DAY]
  const manifests = await Promise.all(days.map((day) => bucket.head(folderOf(day) + MANIFEST)))
  return manifests.find((manifest) => manifest !== null)?.uploaded ?? null
}

/**
 * How old the last backup is, and whether that is too old. A bucket that was bound a short time ago
 * may have none yet.
 */
export async function backupAge(
  bucket: R2Bucket,
  now: number,
): Promise<{ isLate: boolean; message: string }> {
  const last = await lastBackup(bucket, now)
  if (last) {
    const age = now - last.getTime()
    return { isLate: age > LATE, message: `the last one is ${Math.floor(age / HOUR)} h old` }
  }
  const [first] = (await bucket.list({ limit: 1 })).objects
  return first && now - first.uploaded.getTime() > LATE
    ? { isLate: true, message: 'none of the last three days is whole' }
    : { isLate: false, message: 'the first one is not whole yet' }
}
