import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import * as v from 'valibot'
import { Manifest } from '../../contract/backup.ts'

/**
 * Only their owner can read the files: they have sealed credentials and customers' addresses.
 */
const OWN = { mode: 0o600 }

const MANIFEST = 'manifest.json'

/** The manifest of a folder; null where there is none. An Error tells what is wrong with it. */
export async function readManifest(folder: string): Promise<Manifest | null> {
  const path = join(folder, MANIFEST)
  if (!existsSync(path)) return null
  const read = v.safeParse(v.pipe(v.string(), v.parseJson(), Manifest), await readFile(path, 'utf8'))
  if (read.success) return read.output
  const { message } = read.issues[0]
  throw new Error(`${path} cannot be read: ${v.getDotPath(read.issues[0]) ?? 'it'} ${message}`)
}

/** Writes the manifest, whole or not at all. */
export async function writeManifest(folder: string, manifest: Manifest): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const part = join(folder, `${MANIFEST}.part`)
  await writeFile(part, `${JSON.stringify(manifest, null, 2)}\n`, OWN)
  await rename(part, join(folder, MANIFEST))
}

/** Writes a file of lines as they come, whole or not at all. Returns its line of the manifest. */
export async function writeLines(
  folder: string,
  name: string,
  pages: AsyncIterable<readonly object[]>,
): Promise<Manifest['files'][number]> {
  const part = join(folder, `${name}.part`)
  await rm(part, { force: true })
  const file = await open(part, 'wx', OWN.mode)
  const hash = createHash('sha256')
  let lines = 0
  try {
    for await (const page of pages) {
      const text = page.map((line) => `${JSON.stringify(line)}\n`).join('')
      hash.update(text)
      await file.write(text)
      lines += page.length
    }
    await file.sync()
    await rename(part, join(folder, name))
    return { name, lines, sha256: hash.digest('hex') }
  } finally {
    await file.close()
  }
}

/** Looks whether each file is there as it was written. An Error names the first that is not. */
export async function checkFiles(folder: string, { files }: Manifest): Promise<void> {
  for (const { name, sha256 } of files) {
    const path = join(folder, name)
    if (!existsSync(path)) throw new Error(`${path} is missing. Nothing was restored.`)
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    if (hash.digest('hex') !== sha256)
      throw new Error(`${path} is not what the backup wrote: its SHA-256 differs. Nothing was restored.`)
  }
}

/** So many lines are sent at once, and about so many characters. */
const GROUP = { lines: 200, characters: 1_000_000 }

/** The lines of a file, in groups that can be sent at once. */
export async function* readGroups<Schema extends v.GenericSchema>(
  path: string,
  schema: Schema,
): AsyncGenerator<v.InferOutput<Schema>[]> {
  let group: v.InferOutput<Schema>[] = []
  let length = 0
  let number = 0
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Infinity })) {
    number += 1
    const read = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), line)
    if (!read.success) throw new Error(`${path}, line ${number}: ${read.issues[0].message}`)
    if (group.length >= GROUP.lines || (group.length > 0 && length + line.length > GROUP.characters)) {
      yield group
      group = []
      length = 0
    }
    group.push(read.output)
    length += line.length
  }
  if (group.length > 0) yield group
}
