import { join } from 'node:path'
import * as v from 'valibot'
import { RegistryRow, type Restored, StoredAuditEntry, StoredJob } from '../../contract/backup.ts'
import { option, word } from '../program.ts'
import { UsageError } from '../usage-error.ts'
import {
  AUDIT,
  type Manifest,
  REGISTRY,
  checkFiles,
  dayOf,
  nameOfDay,
  readGroups,
  readManifest,
  writeLines,
  writeManifest,
} from './backup-folder.ts'
import { operatorsHub } from './chosen-hub.ts'
import { count, hubCommand } from './hub-command.ts'
import { ask, askPages } from './operator-api.ts'
import { YES, confirm } from './prompt.ts'

/** The pages of a file, as the hub has them now. */
async function* pagesOf(name: string): AsyncGenerator<object[]> {
  const day = dayOf(name)
  if (name === REGISTRY) yield (await ask('backUpRegistry')).rows
  else if (name === AUDIT) for await (const page of askPages('backUpAudit', {})) yield page.entries
  else if (day !== null) {
    let jobs = 0
    for await (const page of askPages('backUpJobs', { params: { day } })) {
      jobs += page.jobs.length
      console.error(`${day}: ${count(jobs, 'job', 'jobs')}`)
      yield [...page.jobs, ...page.counts.map((row) => ({ counts: row }))]
    }
  }
}

/** Begins a backup, or goes on with one that was broken off. */
async function manifestIn(folder: string): Promise<Manifest> {
  const known = await readManifest(folder)
  if (known?.finished)
    throw new UsageError(`${folder} has a whole backup of ${known.begun}. Choose another folder.`)
  if (known) return known
  const { version } = await ask('showSettings')
  const { url } = operatorsHub()
  const begun = new Date().toISOString()
  return { format: 1, release: version, hub: url, begun, finished: null, files: [] }
}

export const backup = hubCommand({
  does: 'writes all that the hub stores to a folder: registry, jobs, audit log; goes on where it was broken off',
  example: '--out backup-2026-01-31',
  args: { out: { ...option('DIR', 'the folder, which only you can read'), required: true } },
  run: async ({ out }) => {
    const manifest = await manifestIn(out)
    await writeManifest(out, manifest)
    const { days } = await ask('listIndexDays')
    // The log comes last, so that it tells of all that is in the other files.
    for (const name of [REGISTRY, ...days.map(nameOfDay), AUDIT]) {
      if (manifest.files.some((file) => file.name === name)) continue
      manifest.files.push(await writeLines(out, name, pagesOf(name)))
      await writeManifest(out, manifest)
    }
    manifest.finished = new Date().toISOString()
    await writeManifest(out, manifest)
    return manifest
  },
  show: ({ files }) => `The backup is whole: ${count(files.length, 'file', 'files')} and manifest.json.`,
})

const PARTS = ['audit', 'registry', 'jobs'] as const
type Part = (typeof PARTS)[number]

const JobLine = v.union([StoredJob, v.object({ counts: v.record(v.string(), v.any()) })])
const GROUP = { lines: 200, characters: 1_000_000 }

function partOf(name: string): Part {
  return name === REGISTRY ? 'registry' : name === AUDIT ? 'audit' : 'jobs'
}

/** Writes one file into the hub. What is there already, the same, stays. */
async function restoreFile(folder: string, name: string): Promise<Restored> {
  const path = join(folder, name)
  const day = dayOf(name) ?? ''
  const total: Restored = { written: 0, there: 0 }
  const add = ({ written, there }: Restored) => {
    total.written += written
    total.there += there
    console.error(`${name}: ${total.written} written, ${total.there} there already`)
  }
  switch (partOf(name)) {
    case 'audit':
      for await (const entries of readGroups(path, StoredAuditEntry, GROUP))
        add(await ask('restoreAudit', { body: { entries } }))
      break
    case 'registry':
      for await (const rows of readGroups(path, RegistryRow, GROUP))
        add(await ask('restoreRegistry', { body: { rows } }))
      break
    case 'jobs':
      for await (const lines of readGroups(path, JobLine, GROUP)) {
        const jobs = lines.flatMap((line) => ('id' in line ? [line] : []))
        const counts = lines.flatMap((line) => ('counts' in line ? [line.counts] : []))
        add(await ask('restoreJobs', { params: { day }, body: { jobs, counts } }))
      }
  }
  return total
}

/** An Error tells what the hub has that the backup has not: then it is no hub to restore into. */
async function refuseOtherHub(folder: string, { files }: Manifest, parts: readonly Part[]): Promise<void> {
  if (parts.includes('jobs')) {
    const { days } = await ask('listIndexDays')
    const day = days.find((one) => !files.some(({ name }) => name === nameOfDay(one)))
    if (day) throw new Error(`The hub has jobs of ${day}, which the backup has not. ${EMPTY}`)
  }
  if (!parts.includes('registry')) return
  const { rows } = await ask('backUpRegistry')
  // Purges are counted in the hub itself, too.
  const others = new Set(rows.flatMap((row) => (row.table === 'purges' ? [] : [JSON.stringify(row)])))
  for await (const group of readGroups(join(folder, REGISTRY), RegistryRow, GROUP))
    for (const row of group) others.delete(JSON.stringify(row))
  const [other] = others
  if (other !== undefined)
    throw new Error(`The hub has a row that the backup has not: ${tableOf(other)}. ${EMPTY}`)
}

const EMPTY = 'Restore into a hub that is empty, or that this backup was restored into before.'

function tableOf(text: string): string {
  const { table, row } = v.parse(v.pipe(v.string(), v.parseJson(), RegistryRow), text)
  return `${table} ${String(row['id'] ?? row['pos'] ?? '')}`.trim()
}

export const restore = hubCommand({
  does: 'writes a backup into an empty hub that has the same secrets; goes on where it was broken off',
  example: 'backup-2026-01-31',
  args: {
    folder: word('the folder that backup wrote'),
    only: { type: 'enum', options: PARTS, description: 'one part alone: registry, when D1 was lost' },
    ...YES,
  },
  run: async ({ folder, only, yes }) => {
    const manifest = await readManifest(folder)
    if (!manifest) throw new UsageError(`${folder} has no manifest.json, so it is no backup.`)
    if (manifest.finished === null)
      throw new UsageError(`The backup in ${folder} was broken off. Finish it: backup --out ${folder}`)
    await checkFiles(folder, manifest)
    const { url } = operatorsHub()
    await confirm(`Restore the backup of ${manifest.hub} of ${manifest.begun} into ${url}?`, yes)
    const parts = only ? [only] : PARTS
    const restored: Record<string, Restored> = {}
    // The log first, while nothing has been written to that of the hub.
    for (const part of parts) {
      if (part !== 'audit') await refuseOtherHub(folder, manifest, [part])
      for (const { name } of manifest.files)
        if (partOf(name) === part) restored[name] = await restoreFile(folder, name)
    }
    return { restored }
  },
  show: ({ restored }, view) =>
    view.list('Nothing was in the backup.', Object.entries(restored), {
      file: ([name]) => name,
      written: ([, { written }]) => String(written),
      'there already': ([, { there }]) => String(there),
    }),
})
