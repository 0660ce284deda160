import { statSync } from 'node:fs'
import { join } from 'node:path'
import {
  JobLine,
  type Manifest,
  type Origin,
  type PartEnd,
  RegistryRow,
  type Restored,
  StoredAuditEntry,
  jobLines,
} from '../contract/backup.ts'
import { flag, option, word } from '../programs/program.ts'
import { UsageError } from '../programs/usage-error.ts'
import {
  type Handed,
  readGroups,
  readManifest,
  writeLines,
  writeManifest,
  wrongFiles,
} from '../backup/folder.ts'
import { type Place, START, placeAfter } from '../backup/origin.ts'
import { operatorsHub } from './operators-hub.ts'
import { count, hubCommand } from '../programs/hub-command.ts'
import { HubError } from '../programs/chosen-hub.ts'
import { ask, askPages } from './operator-api.ts'
import { YES, answerTo, confirm } from '../programs/prompt.ts'
import { printableText } from '../programs/view.ts'

/**
 * Lines of a file, the proof of the last one, and what writes them. Records that are already there stay as
 * they are.
 */
type Group = {
  lines: readonly object[]
  proof: string | undefined
  write: (from: { origin?: Origin }) => Promise<Restored>
}

type Part = {
  /** The pages of its file, as the hub has them now, in the backup that began then. */
  pages: (begun: string | undefined, day: string) => AsyncIterable<Handed>
  groups: (file: string, day: string) => AsyncIterable<Group>
}

/** The parts of a backup, in the order of a restore: the log first, while the hub's is empty. */
const PARTS = {
  audit: {
    pages: async function* (begun) {
      for await (const { entries, ...proven } of askPages('backUpAudit', { query: { begun } }))
        yield { lines: entries, ...proven }
    },
    groups: async function* (file) {
      for await (const { lines: entries, proof } of readGroups(file, StoredAuditEntry)) {
        const write: Group['write'] = (from) => ask('restoreAudit', { body: { entries, ...from } })
        yield { lines: entries, proof, write }
      }
    },
  },
  registry: {
    pages: async function* (begun) {
      for await (const { rows, ...proven } of askPages('backUpRegistry', { query: { begun } }))
        yield { lines: rows, ...proven }
    },
    groups: async function* (file) {
      for await (const { lines: rows, proof } of readGroups(file, RegistryRow)) {
        const write: Group['write'] = (from) => ask('restoreRegistry', { body: { rows, ...from } })
        yield { lines: rows, proof, write }
      }
    },
  },
  jobs: {
    pages: async function* (begun, day) {
      let number = 0
      for await (const page of askPages('backUpJobs', { params: { day }, query: { begun } })) {
        number += page.jobs.length
        console.error(`${day}: ${count(number, 'job', 'jobs')}`)
        yield { lines: jobLines(page), proofs: page.proofs, end: page.end }
      }
    },
    groups: async function* (file, day) {
      for await (const { lines, proof } of readGroups(file, JobLine)) {
        const jobs = lines.flatMap((line) => ('id' in line ? [line] : []))
        const counts = lines.flatMap((line) => ('counts' in line ? [line.counts] : []))
        const write: Group['write'] = (from) =>
          ask('restoreJobs', { params: { day }, body: { jobs, counts, ...from } })
        yield { lines, proof, write }
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
  const day = /\d{4}-\d\d-\d\d/.exec(file)?.[0] ?? ''
  const part: Part = PARTS[name]
  return { file, name, part, day, of: name === 'jobs' ? nameOfDay(day) : name }
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
        const written = await writeLines(out, file, part.pages(manifest.ends?.[0]?.begun, day))
        manifest.files.push(written.file)
        if (written.end) manifest.ends = [...(manifest.ends ?? []), written.end]
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
    const { ends: parts = [], ...others } = manifest
    // A hub up to 1.1 proves nothing.
    const signed =
      parts.length === manifest.files.length ? await ask('signBackup', { body: { parts } }) : undefined
    const whole = { ...others, finished: new Date().toISOString(), ...(signed ? { signed } : {}) }
    await writeManifest(out, whole)
    return whole
  },
})

type Content = ReturnType<typeof contentOf>

/** Yields the lines of files in groups, each with the places in its part at which it begins and ends. */
async function* followed(folder: string, files: readonly Content[]) {
  const places = new Map<string, Place>()
  for (const { file, part, day, of } of files) {
    for await (const group of part.groups(join(folder, file), day)) {
      const before = places.get(of) ?? START
      const place = await placeAfter(before, group.lines)
      places.set(of, place)
      yield { ...group, file, of, before, place }
    }
  }
}

/**
 * Returns when a backup began, if a hub with the secrets of the chosen one signed it with exactly these parts, and
 * these ends of those that are read. Null if nobody signed it, or it is not what was signed.
 */
async function signedBegun(
  { signed }: Manifest,
  parts: ReadonlySet<string>,
  ends: ReadonlyMap<string, Place>,
): Promise<string | null> {
  const names = new Set(signed?.parts.map(({ part }) => part))
  if (!signed || names.symmetricDifference(parts).size > 0) return null
  const isSame = ({ part, lines, digest }: PartEnd) => {
    const read = ends.get(part)
    return read === undefined || (read.lines === lines && read.digest === digest)
  }
  if (!signed.parts.every(isSame)) return null
  return (await ask('checkBackup', { body: signed })).isOwn ? (signed.parts[0]?.begun ?? null) : null
}

/** Throws unless the operator takes a backup that anyone may have written. A script says so by a flag. */
async function confirmUnsigned(isTaken = false): Promise<void> {
  const why =
    'No hub with these secrets signed this backup as it is: anyone may have written it. The hub asks the PSPs about every ' +
    'payment in it, and leaves out what they do not confirm.'
  if (
    isTaken ||
    (process.stdin.isTTY && (await answerTo(`${why} Restore it? (yes, unsigned/no)`)) === 'yes, unsigned')
  )
    return
  throw new Error(`${why} Nothing was restored. If you know where it comes from, add --unsigned.`)
}

export const restore = hubCommand({
  does: 'write a backup into an empty hub that has the same secrets; continue an interrupted restore',
  example: 'backup-2026-01-31',
  args: {
    folder: word('the folder that backup wrote'),
    only: { type: 'enum', options: NAMES, description: 'only one part: registry, if D1 was lost' },
    unsigned: flag('take a backup that no hub signed, such as one of release 1.1'),
    ...YES,
  },
  run: async ({ folder, only, unsigned, yes }) => {
    const manifest = await readManifest(folder)
    if (!manifest) throw new UsageError(`${folder} has no manifest.json, so it is not a backup.`)
    if (manifest.finished === null)
      throw new UsageError(`The backup in ${folder} is not complete. Finish it: backup --out ${folder}`)
    for await (const wrong of wrongFiles(folder, manifest)) throw new Error(`${wrong} Nothing was restored.`)
    const all = manifest.files.map(({ name }) => contentOf(name))
    const files = (only ? [only] : NAMES).flatMap((name) => all.filter((content) => content.name === name))
    // Reads every line before it writes the first: a restore that stopped half-way would leave half a hub.
    const ends = new Map<string, Place>()
    for await (const { of, place } of followed(folder, files)) ends.set(of, place)
    const begun = await signedBegun(manifest, new Set(all.map(({ of }) => of)), ends)
    if (begun === null) await confirmUnsigned(unsigned)
    const { url } = operatorsHub()
    await confirm(`Restore the backup of ${manifest.hub} of ${begun ?? manifest.begun} into ${url}?`, yes)
    const restored: Record<string, Restored> = {}
    for await (const { file, write, before, proof = '' } of followed(folder, files)) {
      const now = await write(begun === null ? {} : { origin: { begun, ...before, proof } })
      const sums = (restored[file] ??= { written: 0, there: 0, leftOut: [] })
      sums.written += now.written
      sums.there += now.there
      sums.leftOut.push(...now.leftOut)
      console.error(`${file}: ${sums.written} written, ${sums.there} already there`)
    }
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
