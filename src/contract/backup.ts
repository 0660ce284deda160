import * as v from 'valibot'
import { isJobId } from './ids.ts'
import { jsonLine } from './json-lines.ts'
import { type Operations, CHANGE, done } from './operation.ts'
import { after, day } from './queries.ts'
import { Integer } from './values.ts'

/** A row of a table of D1, by the names of its columns. */
const Row = v.record(v.string(), v.union([v.string(), v.number(), v.null()]))

/** A row of the registry, with its table. Rows are in an order in which they can be written. */
export const RegistryRow = v.object({ table: v.string(), row: Row })
export type RegistryRow = v.InferOutput<typeof RegistryRow>

/** An entry of the audit log as it is stored: `hash` is the hash of the text `entry`. */
export const StoredAuditEntry = v.object({
  number: v.number(),
  at: v.number(),
  ends: v.nullable(v.number()),
  hash: v.string(),
  entry: v.string(),
})
export type StoredAuditEntry = v.InferOutput<typeof StoredAuditEntry>

/** Everything that the object of a job stores, by key: a journal, or what is left of a purged job. */
export const StoredJob = v.object({
  id: v.pipe(v.string(), v.check(isJobId, 'must be the id of a job')),
  stored: v.array(v.object({ key: v.string(), value: v.unknown() })),
})
export type StoredJob = v.InferOutput<typeof StoredJob>

/** Figures of the day's purged jobs, whose journals are gone. */
const counts = v.array(Row)

/** A line of a file of jobs: a job, or a figure of purged ones. */
export const JobLine = v.union([StoredJob, v.object({ counts: Row })])

/**
 * Where lines of a backup come from: they follow `lines` others of their part, whose digest this is, and the last of
 * them has this proof. `begun`: when the backup began.
 */
export const Origin = v.object({ begun: v.string(), lines: Integer, digest: v.string(), proof: v.string() })
export type Origin = v.InferOutput<typeof Origin>
const origin = v.optional(Origin)

/** The end of a part, such as `jobs-2026-01-31`: its number of lines, their digest, and the hub's proof of all that. */
export const PartEnd = v.object({ ...Origin.entries, part: v.string() })
export type PartEnd = v.InferOutput<typeof PartEnd>

/** All parts of a backup. */
export const BackupParts = v.object({ parts: v.array(PartEnd) })

/** What the hub signed of a backup: its release, and all parts. */
export const SignedBackup = v.object({
  ...BackupParts.entries,
  release: v.string(),
  signature: v.string(),
})

/** Whether the hub, or one with its secrets, signed a backup. */
export const CheckedBackup = v.object({ isOwn: v.boolean() })

/** A proof of the hub for each line, and at the end of the part one of all. Hubs up to 1.1 give none. */
const PROOFS = { proofs: v.optional(v.array(v.string()), []), end: v.optional(v.nullable(PartEnd), null) }

/**
 * The manifest of a backup: its files with their SHA-256. `ends`: those of the parts that came so far. `signed`: what
 * the hub signed, missing from backups of hubs up to 1.1. `finished` is null until all are written.
 * The hub may split a file into several, whose names begin alike.
 */
export const Manifest = v.object({
  format: v.literal(1, 'is of a later release'),
  release: v.string(),
  hub: v.string(),
  begun: v.string(),
  finished: v.nullable(v.string()),
  files: v.array(v.object({ name: v.string(), lines: v.number(), sha256: v.string() })),
  ends: v.optional(v.array(PartEnd)),
  signed: v.optional(SignedBackup),
})
export type Manifest = v.InferOutput<typeof Manifest>

/**
 * How many were `written`, and how many identical ones were `there` already. `leftOut` names what does not come back
 * as it was: tokens that ended, what this release cannot read, what the audit log took away or a PSP does not confirm.
 */
export const Restored = v.object({ written: v.number(), there: v.number(), leftOut: v.array(v.string()) })
export type Restored = v.InferOutput<typeof Restored>

export const RegistryToRestore = v.object({ rows: v.array(RegistryRow), origin })

/** The first page has everything except the lines of payouts, of which there may be many. */
export const RegistryBackup = v.object({
  rows: v.array(RegistryRow),
  next: v.nullable(v.string()),
  ...PROOFS,
})

/** A page of the audit log. `next` is the `after` of the next page, or null at the end. */
export const AuditBackup = v.object({
  entries: v.array(StoredAuditEntry),
  next: v.nullable(v.string()),
  ...PROOFS,
})

/** A page of the jobs of a day; the last has the figures of those that were purged. */
export const JobsBackup = v.object({
  jobs: v.array(StoredJob),
  counts,
  next: v.nullable(v.string()),
  ...PROOFS,
})

export const AuditToRestore = v.object({ entries: v.array(StoredAuditEntry), origin })

export const JobsToRestore = v.object({
  jobs: v.pipe(v.array(StoredJob), v.maxLength(200, 'must be at most 200 jobs')),
  counts,
  origin,
})

/** Returns the lines of a file for a page of jobs. */
export function jobLines(page: Pick<v.InferOutput<typeof JobsBackup>, 'jobs' | 'counts'>) {
  return [...page.jobs, ...page.counts.map((row) => ({ counts: row }))]
}

/** Returns the text of lines of a file, each with the hub's proof, which releases up to 1.1 ignore. */
export function provenText(lines: readonly object[], proofs: readonly string[]): string {
  return lines
    .map((line, at) => jsonLine(proofs[at] === undefined ? line : { ...line, proof: proofs[at] }))
    .join('')
}

const begun = v.optional(
  v.pipe(
    v.string(),
    v.isoTimestamp('must be a time'),
    v.description('When the whole backup began; by default now.'),
  ),
)

const BACK_UP = { ...CHANGE, query: v.object({ after, begun }), problems: ['unavailable'] } as const
/**
 * A hub that has made changes of its own takes no backup: 409. With `origin` it takes only what it handed out itself.
 * Without it, it asks the PSP about each job with money, and leaves it out unless the PSP confirms the money.
 */
const RESTORE = { ...CHANGE, isLarge: true, problems: ['restore-conflict'] } as const
const ofDay = v.object({ day })

/**
 * The operations that turn a hub into files, and files into a hub. `hub backup` and `hub restore` call
 * them page by page. Backups are POSTs, so that the audit log records who took one.
 */
export const BACKUP_OPERATIONS = {
  backUpRegistry: {
    ...BACK_UP,
    path: '/operator/v1/backup/registry',
    audit: { action: 'backup.registry' },
    summary: 'Back up points of sale, accounts, routes, tokens and books',
    description:
      'As they are stored: credentials are sealed and keys hashed, as in D1. The first page is of one moment. The lines of payouts follow on further pages.',
    answer: done(RegistryBackup),
  },
  backUpAudit: {
    ...BACK_UP,
    path: '/operator/v1/backup/audit',
    audit: { action: 'backup.audit' },
    summary: 'Back up a page of the audit log',
    answer: done(AuditBackup),
  },
  backUpJobs: {
    ...BACK_UP,
    path: '/operator/v1/backup/jobs/:day',
    params: ofDay,
    audit: { action: 'backup.jobs' },
    summary: 'Back up a page of the jobs of a day, with all that is stored of them',
    answer: done(JobsBackup),
  },
  signBackup: {
    ...CHANGE,
    isLarge: true,
    path: '/operator/v1/backup/manifest',
    audit: { action: 'backup.sign' },
    summary: 'Sign the manifest of a backup',
    description: 'The hub signs only parts that it handed out to the end, in a backup that began then.',
    body: BackupParts,
    answer: done(SignedBackup),
    problems: ['restore-conflict'],
  },
  checkBackup: {
    ...CHANGE,
    isLarge: true,
    path: '/operator/v1/restore/manifest',
    summary: 'Check who signed a backup',
    description: 'A hub with the same `SIGNING_ROOT` did, or nobody that this hub knows.',
    body: SignedBackup,
    answer: done(CheckedBackup),
  },
  restoreRegistry: {
    ...RESTORE,
    path: '/operator/v1/restore/registry',
    audit: { action: 'restore.registry' },
    summary: 'Restore missing rows of the registry',
    body: RegistryToRestore,
    answer: done(Restored),
  },
  restoreAudit: {
    ...RESTORE,
    path: '/operator/v1/restore/audit',
    summary: 'Restore missing entries of the audit log',
    description:
      'They must follow the last existing entry, each with a valid hash. The entry of the restore itself comes after them.',
    body: AuditToRestore,
    answer: done(Restored),
  },
  restoreJobs: {
    ...RESTORE,
    path: '/operator/v1/restore/jobs/:day',
    params: ofDay,
    audit: { action: 'restore.jobs' },
    summary: 'Restore missing jobs, with their rows of the index',
    description: 'Writes each job completely or not at all, at most 200 at a time.',
    body: JobsToRestore,
    answer: done(Restored),
  },
} as const satisfies Operations
