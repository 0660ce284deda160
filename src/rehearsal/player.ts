import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { replay } from '../job/core/replay.ts'
import { lineOf } from '../contract/json-lines.ts'
import { journalsOf, linesOf } from './journals.ts'

/*
 * Plays the journals of a backup by the rules of one release, whose tree is the first word, and writes
 * the results. Any two releases write the same number of lines.
 */

const [tree = '', folder = '', job] = process.argv.slice(2)
const rules: { replay: typeof replay } = await import(
  pathToFileURL(join(tree, 'src', 'job', 'core', 'replay.ts')).href
)

for await (const found of journalsOf(folder, job))
  for (const line of linesOf(found, rules.replay))
    if (!process.stdout.write(lineOf(line))) await once(process.stdout, 'drain')
