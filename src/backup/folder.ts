import { createHash } from 'node:crypto'
import { constants, createReadStream, lstatSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { Manifest, type PartEnd, provenText } from '../contract/backup.ts'
import { splitLines } from '../contract/json-lines.ts'
import { writeOwnFile } from '../programs/own-file.ts'
import { printableText } from '../programs/view.ts'

/** Only the files' owner can read them, because they have sealed credentials and customers' addresses. */
const OWN = { mode: 0o600 }

const MANIFEST = 'manifest.json'

/** The names of a backup's files. Each part, and each day of jobs, may have several. */
const FILE = /^(registry|audit|jobs-\d{4}-\d\d-\d\d)(-\d+)?\.ndjson$/

/** Reads the manifest of a folder; null if it has none. Throws an Error that says what is wrong with it. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const path = join(folder, MANIFEST)
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (!found) return null
  if (!found.isFile()) throw new Error(`${path} is no file of its own.`)
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Manifest), await readFile(path, 'utf8'))
  const wrong = read.success && read.output.files.find(({ name }) => !FILE.test(name))
  if (wrong) throw new Error(`${path} names ${printableText(wrong.name)}, which is no file of a backup.`)
  if (read.success) {
    const { hub, begun, release } = read.output
    const [own, time, by] = [hub, begun, release].map(printableText)
    return { ...read.output, hub: own ?? '', begun: time ?? '', release: by ?? '' }
  }
  const { message } = read.issues[0]
  throw new Error(
    `${path} cannot be read: ${v.getDotPath(read.issues[0]) ?? 'it'} ${withoutContent(message)}`,
  )
}

/** Writes the manifest, whole or not at all. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeOwnFile(join(folder, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** Lines that the hub handed out, each with its proof, and the end of their part on the last page. */
export type Handed = { lines: readonly object[]; proofs: readonly string[]; end: PartEnd | null }

/** Writes lines to a file as they arrive, all or none. Returns the file's entry for the manifest, and its end. */
export async function writeLines(
  folder: string,
  name: string,
  pages: AsyncIterable<Handed>,
): Promise<{ file: Manifest['files'][number]; end: PartEnd | null }> {
  const part = join(folder, `${name}.part`)
  await rm(part, { force: true })
  const file = await open(part, 'wx', OWN.mode)
  const hash = createHash('sha256')
  let [lines, end]: [number, PartEnd | null] = [0, null]
  try {
    for await (const page of pages) {
      const text = provenText(page.lines, page.proofs)
      hash.update(text)
      await file.write(text)
      lines += page.lines.length
      end = page.end
    }
    await file.sync()
    await rename(part, join(folder, name))
    return { file: { name, lines, sha256: hash.digest('hex') }, end }
  } finally {
    await file.close()
  }
}

/** Checks each file, and describes those that are missing or changed. */
export async function* wrongFiles(folder: string, { files }: Manifest): AsyncGenerator<string> {
  for (const { name, sha256 } of files) {
    const path = join(folder, name)
    const found = lstatSync(path, { throwIfNoEntry: false })
    // Through a link the hub would get any file that this user can read.
    if (!found?.isFile()) yield found ? `${path} is no file of its own.` : `${path} is missing.`
    else {
      const hash = createHash('sha256')
      await pipeline(createReadStream(path), hash)
      if (hash.digest('hex') !== sha256) yield `${path} is not what the backup wrote: its SHA-256 differs.`
    }
  }
}

/** Leaves out the part of the file that JSON.parse quotes. */
function withoutContent(message: string): string {
  return /JSON/.test(message) ? 'is no JSON' : message
}

/** Yields the lines of a file. Throws for a link, through which the caller would read any file of this user. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  if (!lstatSync(path).isFile()) throw new Error(`${path} is no file of its own.`)
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  yield* splitLines(file.createReadStream({ encoding: 'utf8' }))
}

/** The most lines to send at once, and about the most characters. */
const GROUP = { lines: 200, characters: 1_000_000 }

const WithProof = v.object({ proof: v.string() })

/** Yields the lines of a file in groups, each small enough to send at once, with the proof of the last line. */
export async function* readGroups<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): AsyncGenerator<{ lines: v.InferOutput<Schema>[]; proof: string | undefined }> {
  let group: v.InferOutput<Schema>[] = []
  let proof: string | undefined
  let length = 0
  let number = 0
  for await (const line of linesOf(path)) {
    number += 1
    const json = v.safeParse(v.pipe(v.string(), v.parseJson()), line)
    const read = json.success ? v.safeParse(schema, json.output) : json
    if (!read.success) throw new Error(`${path}, line ${number}: ${withoutContent(read.issues[0].message)}`)
    if (group.length >= GROUP.lines || (group.length > 0 && length + line.length > GROUP.characters)) {
      yield { lines: group, proof }
      group = []
      length = 0
    }
    group.push(read.output)
    proof = v.is(WithProof, json.output) ? json.output.proof : undefined
    length += line.length
  }
  if (group.length > 0) yield { lines: group, proof }
}
