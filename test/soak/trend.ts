/** What is measured of the hub's processes: memory in MiB, open files, and open databases, one for each object in memory. */
export type Sample = { memory: number; files: number; objects: number }

/** What may be added to a measure, and by how much of itself it may grow, before it counts as growing. */
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
 * What has grown from the middle of a run to its end, in words. The first third of the samples is passed over, and `filling` of them
 * at least: while that lasts, all that fills up does.
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
