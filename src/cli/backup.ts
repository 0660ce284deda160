import { statSync } from 'node:fs'
import { join } from 'node:path'
import {
  JobLine,
  type Manifest,
  RegistryRow,
  type Restored,
  StoredAuditEntry,
  jobLines,
} from '../contract/backup.ts'
import { option, word } from '../programs/program.ts'
import { UsageError } from '../programs/usage-error.ts'
import { readGroups, readManifest, writeLines, writeManifest, wrongFiles } from '../backup/folder.ts'
import { operatorsHub } from './operators-hub.ts'
import { count, hubCommand } from '../programs/hub-command.ts'
import { HubError } from '../programs/chosen-hub.ts'
import { addUp, ask, askPages } from './operator-api.ts'
import { YES, confirm } from '../programs/prompt.ts'
import { printableText } from '../programs/view.ts'

type Part = {
  /** The pages of its file, as the hub has them now. */
  pages: (day: string) => AsyncIterable<readonly object[]>
  /**
   * Reads its file, and yields a function for each group of lines, which writes them into the hub. Records that are
   * already there stay as they are.
   */
  writes: (file: string, day: string) => AsyncIterable<() => Promise<Restored>>
}

/** The parts of a backup, in the order of a restore: the log first, while the hub's is empty. */
const PARTS = {
  audit: {
    pages: async function* () {
      for await (const { entries } of askPages('backUpAudit')) yield entries
    },
    writes: async function* (file) {
      for await (const entries of readGroups(file, StoredAuditEntry))
        yield () => ask('restoreAudit', { body: { entries } })
    },
  },
  registry: {
    pages: async function* () {
      for await (const { rows } of askPages('backUpRegistry')) yield rows
    },
    writes: async function* (file) {
      for await (const rows of readGroups(file, RegistryRow))
        yield () => ask('restoreRegistry', { body: { rows } })
    },
  },
  jobs: {
    pages: async function* (day) {
      let number = 0
      for await (const page of askPages('backUpJobs', { params: { day } })) {
        number += page.jobs.length
        console.error(`${day}: ${count(number, 'job', 'jobs')}`)
        yield jobLines(page)
      }
    },
    writes: async function* (file, day) {
      for await (const lines of readGroups(file, JobLine)) {
        const jobs = lines.flatMap((line) => ('id' in line ? [line] : []))
        const counts = lines.flatMap((line) => ('counts' in line ? [line.counts] : []))
        yield () => ask('restoreJobs', { params: { day }, body: { jobs, counts } })
      }
    },
  },
} as const satisfies Readonly<Record<string, Part>>

const NAMES = ['audit', 'registry', 'jobs'] as const

function nameOfDay(day: string): string {
  return `jobs-${day}`
}

/** Reads a file's name: the part of the backup that it has, and for jobs their day. */
function contentOf(file: string) {
  const name = NAMES.find((one) => file.startsWith(one)) ?? 'jobs'
  return { name, part: PARTS[name], day: /\d{4}-\d\d-\d\d/.exec(file)?.[0] ?? '' }
}

/** Begins a backup, or continues an interrupted one. */
async function manifestIn(folder: string): Promise<Manifest> {
  if (statSync(folder, { throwIfNoEntry: false })?.isFile())
    throw new UsageError(`${folder} is a file: name a folder.`)
  const known = await readManifest(folder)
  if (known?.finished)
    throw new UsageError(`${folder} has a complete backup of ${known.begun}. Choose another folder.`)
  if (known) return known
  const { version } = await ask('showSettings')
  const { url } = operatorsHub()
  const begun = new Date().toISOString()
  return { format: 1, release: version, hub: url, begun, finished: null, files: [] }
}

export const backup = hubCommand({
  does: 'write everything that the hub stores to a folder: registry, jobs, audit log; continue an interrupted backup',
  example: '--out backup-2026-01-31',
  args: { out: { ...option('DIR', 'the folder, which only you can read'), required: true } },
  run: async ({ out }) => {
    const manifest = await manifestIn(out)
    await writeManifest(out, manifest)
    const { days } = await ask('listIndexDays')
    // The log comes last, so that it has every change that the other files have.
    const missing: string[] = []
    for (const file of ['registry', ...days.map(nameOfDay), 'audit'].map((part) => `${part}.ndjson`)) {
      if (manifest.files.some(({ name }) => name === file)) continue
      const { part, day } = contentOf(file)
      try {
        manifest.files.push(await writeLines(out, file, part.pages(day)))
        await writeManifest(out, manifest)
      } catch (error) {
        // If the hub cannot give one day, the backup still gets the others.
        if (!(error instanceof HubError) || !error.problem) throw error
        console.error(`${file}: ${error.message}`)
        missing.push(file)
      }
    }
    if (missing.length > 0) {
      throw new Error(
        `The backup lacks ${missing.join(', ')}. Run the same command again: it fetches only these.`,
      )
    }
    manifest.finished = new Date().toISOString()
    await writeManifest(out, manifest)
    return manifest
  },
})

async function* carriedOut(writes: ReturnType<Part['writes']>): AsyncGenerator<Restored> {
  for await (const write of writes) yield write()
}

export const restore = hubCommand({
  does: 'write a backup into an empty hub that has the same secrets; continue an interrupted restore',
  example: 'backup-2026-01-31',
  args: {
    folder: word('the folder that backup wrote'),
    only: { type: 'enum', options: NAMES, description: 'only one part: registry, if D1 was lost' },
    ...YES,
  },
  run: async ({ folder, only, yes }) => {
    const manifest = await readManifest(folder)
    if (!manifest) throw new UsageError(`${folder} has no manifest.json, so it is not a backup.`)
    if (manifest.finished === null)
      throw new UsageError(`The backup in ${folder} is not complete. Finish it: backup --out ${folder}`)
    for await (const wrong of wrongFiles(folder, manifest)) throw new Error(`${wrong} Nothing was restored.`)
    const files = (only ? [only] : NAMES).flatMap((name) =>
      manifest.files
        .map((file) => ({ file: file.name, ...contentOf(file.name) }))
        .filter((content) => content.name === name),
    )
    // Reads every line before it writes the first: a restore that stopped half-way would leave half a hub.
    for (const { file, part, day } of files)
      for await (const _ of part.writes(join(folder, file), day)) continue
    const { url } = operatorsHub()
    await confirm(`Restore the backup of ${manifest.hub} of ${manifest.begun} into ${url}?`, yes)
    const restored: Record<string, Restored> = {}
    for (const { file, part, day } of files)
      restored[file] = await addUp(carriedOut(part.writes(join(folder, file), day)), (sums) =>
        console.error(`${file}: ${sums.written} written, ${sums.there} already there`),
      )
    return { restored }
  },
  show: ({ restored }, view) => {
    const leftOut = [...new Set(Object.values(restored).flatMap((one) => one.leftOut))]
    const files = view.list('The backup is empty.', Object.entries(restored), [
      ['file', ([name]) => name],
      ['written', ([, { written }]) => written],
      ['already there', ([, { there }]) => there],
    ])
    const names = leftOut.map((name) => `  ${printableText(name)}`)
    return [files, ...(leftOut.length > 0 ? ['', `Left out (${leftOut.length}):`, ...names] : [])].join('\n')
  },
})
