import { changeOf, differencesOf, withoutOrders } from './differences.ts'

/** A kind of change, in how many jobs it shows, and where first. */
export type Change = {
  kind: string
  change: string
  jobs: number
  first: { job: string; entry: number; before: unknown; after: unknown }
}

export type Compared = {
  jobs: number
  entries: number
  /** The changes that most jobs show come first. */
  changes: Change[]
  /** Whether there were more changes than these. */
  isCut: boolean
  /** How many jobs have entries of a later release, which the older one cannot read. */
  later: number
  /** Kinds that only one of the releases knows, so that they were not compared. */
  uncompared: string[]
  /** Lines of the backup that are not jobs. */
  wrong: string[]
}

/** `kinds`: compares only these. `progress` gets the number of jobs that were played. */
export type Comparing = {
  kinds?: readonly string[] | undefined
  showOrders?: boolean | undefined
  progress?: ((played: number) => void) | undefined
}

/** The most kinds of changes, and the most wrong lines, that a comparison keeps. */
const MOST = 500

/** Compares what two releases made of the same journals, by the lines of their players. */
export async function compareLines(
  older: AsyncIterator<string>,
  newer: AsyncIterable<string>,
  { kinds, showOrders = false, progress }: Comparing,
): Promise<Compared> {
  const changes = new Map<string, Change & { newest: string }>()
  const wrong: string[] = []
  const uncompared = new Set<string>()
  let [jobs, entries, later] = [0, 0, 0]
  let [job, isLater, isCut] = ['none yet', false, false]

  function note(kind: string, change: string, first: Change['first']): void {
    if (kinds && !kinds.includes(kind)) return
    const key = `${kind} ${change}`
    const known = changes.get(key)
    if (known) {
      if (known.newest !== first.job) known.jobs += 1
      known.newest = first.job
    } else if (changes.size < MOST) changes.set(key, { kind, change, jobs: 1, first, newest: first.job })
    else isCut = true
  }

  for await (const line of newer) {
    const { value: other = '' } = await older.next()
    const isRead = line.includes('"fold":"read"')
    if (line === other && isRead && line.startsWith(job, 2)) {
      entries += 1
      continue
    }
    const [id, entry, after] = lineOf(line)
    const [, , before] = lineOf(other)
    if (id === null) {
      if (wrong.length < MOST) wrong.push(String(after))
      continue
    }
    entries += 1
    if (id !== job) {
      job = id
      jobs += 1
      isLater = false
      progress?.(jobs)
    }
    // An entry that neither release can read is a change too: it may mean anything.
    if (!isRead) {
      const [was, is] = [foldOf(before), foldOf(after)]
      note('fold', `${was === 'read' ? 'read → ' : ''}${is}`, { job, entry, before: was, after: is })
      continue
    }
    if (foldOf(before) !== 'read') {
      if (!isLater) later += 1
      isLater = true
      continue
    }
    for (const found of differencesOf(before, after)) {
      const [, kind = '', path = ''] = /^(\w+)\.?(.*)$/.exec(found.path) ?? []
      if (path === '' && [found.before, found.after].includes(undefined)) {
        if (kinds?.includes(kind) !== false) uncompared.add(kind)
        continue
      }
      const [was, is] = [found.before, found.after].map((value) =>
        showOrders ? value : withoutOrders(value, found.path),
      )
      note(kind, changeOf({ ...found, path }), { job, entry, before: was, after: is })
    }
  }
  const found = Array.from(changes.values(), ({ newest: _newest, ...change }) => change)
  return {
    jobs,
    entries,
    changes: found.toSorted((one, two) => two.jobs - one.jobs),
    isCut,
    later,
    uncompared: [...uncompared],
    wrong,
  }
}

function lineOf(line: string): [id: string | null, entry: number, seen: unknown] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a player wrote it
  return line === '' ? [null, 0, undefined] : (JSON.parse(line) as [string | null, number, unknown])
}

function foldOf(seen: unknown): string {
  return typeof seen === 'object' && seen !== null && 'fold' in seen ? String(seen.fold) : 'nothing'
}
