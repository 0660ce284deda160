import { readFile, readdir, readlink } from 'node:fs/promises'
import { treeOf } from '../e2e/process-tree.ts'

/**
 * What is measured of the hub's processes: memory in MiB, open files, and open databases, one for
 * each object in memory.
 */
export type Sample = { memory: number; files: number; objects: number }

/**
 * What may be added to a measure, and by how much of itself it may grow, before it counts as
 * growing.
 */
const SLACK: Readonly<Record<keyof Sample, { add: number; share: number }>> = {
  // A runtime that is not short of memory collects its garbage late.
  memory: { add: 48, share: 0.2 },
  files: { add: 30, share: 0.15 },
  objects: { add: 30, share: 0.15 },
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0
}

/**
 * What has grown from the middle of a run to its end, in words. The first third of the samples is
 * passed over, and `filling` of them at least: while that lasts, all that fills up does.
 */
export function grown(samples: readonly Sample[], filling: number): string[] {
  const judged = samples.slice(Math.max(Math.floor(samples.length / 3), filling))
  const half = Math.floor(judged.length / 2)
  if (half < 5) return [`only ${samples.length} samples were taken`]
  const [middle, last] = [judged.slice(0, half), judged.slice(half)]
  return (['memory', 'files', 'objects'] as const).flatMap((name) => {
    const [before, after] = [middle, last].map((part) => median(part.map((sample) => sample[name])))
    if (before === undefined || after === undefined) return []
    const { add, share } = SLACK[name]
    return after > before * (1 + share) + add ? [`${name} grew from ${before} to ${after}`] : []
  })
}

/** Measures a process and all that descend from it. Null when one of them ended meanwhile. */
export async function measure(pid: number | undefined): Promise<Sample | null> {
  try {
    const all = await Promise.all((await treeOf(pid)).map(measureOne))
    return all.reduce((sum, one) => ({
      memory: sum.memory + one.memory,
      files: sum.files + one.files,
      objects: sum.objects + one.objects,
    }))
  } catch {
    return null
  }
}

async function measureOne(pid: number): Promise<Sample> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? []
  const names = await readdir(`/proc/${pid}/fd`)
  const links = await Promise.all(names.map((name) => readlink(`/proc/${pid}/fd/${name}`).catch(() => '')))
  const isDatabase = (link: string) =>
    /PaymentJob.*\.sqlite$/.test(link) || /SandboxPayment.*\.sqlite$/.test(link)
  return {
    memory: Math.round(Number(kibibytes ?? 0) / 1024),
    files: names.length,
    objects: links.filter(isDatabase).length,
  }
}
