import { DAY, HOUR, isoDay } from '../contract/timestamp.ts'

/** The age (ms) at which the last backup is late: there is one a day, and it may take half a day. */
const LATE = 36 * HOUR

/** Returns the bucket of backups, or null if none is bound. */
export function backupBucket(env: Env): R2Bucket | null {
  const binding: unknown = Reflect.get(env, 'BACKUP_BUCKET')
  return isBucket(binding) ? binding : null
}

function isBucket(binding: unknown): binding is R2Bucket {
  return typeof binding === 'object' && binding !== null && 'head' in binding && 'list' in binding
}

/** Returns the folder of a day's backup (`2026-01-31/`). The manifest is written last: it makes the backup complete. */
export function folderOf(time: number): string {
  return `${isoDay(time)}/`
}
export const MANIFEST = 'manifest.json'

/** Returns when the last backup of three days was complete, or null if none was. */
export async function lastBackup(bucket: R2Bucket, now: number): Promise<Date | null> {
  const days = [now, now - DAY, now - 2 * DAY]
  const manifests = await Promise.all(days.map((day) => bucket.head(folderOf(day) + MANIFEST)))
  return manifests.find((manifest) => manifest !== null)?.uploaded ?? null
}

/**
 * Returns the age of the last backup, and whether it is late. A bucket that was bound recently may have
 * no backup yet.
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
