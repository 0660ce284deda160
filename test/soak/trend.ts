/** What is measured of the hub's processes: memory in MiB, open files, and open databases, one for each object in memory. */
export type Sample = { memory: number; files: number; objects: number }

/** What may be added to a measure, and by how much of itself it may grow, before it counts as growing. */
const SLACK: Readonly<Record<keyof Sample, { add: number; share: number }>> = {
  // A runtime that is not short of memory collects its garbage late.
  memory: { add: 48, share: 0.2 },
  files: { add: 30, share: 0.15 },
  objects: { add: 30, share: 0.15 },
}

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

/** What has grown from the middle third of the samples to the last, in words: while the first lasts, all that fills up does. */
export const grown = (samples: readonly Sample[]): string[] => {
  const third = Math.floor(samples.length / 3)
  if (third < 5) return [`only ${samples.length} samples were taken`]
  const [middle, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)]
  return (['memory', 'files', 'objects'] as const).flatMap((name) => {
    const [before, after] = [middle, last].map((part) => median(part.map((sample) => sample[name])))
    if (before === undefined || after === undefined) return []
    const { add, share } = SLACK[name]
    return after > before * (1 + share) + add ? [`${name} grew from ${before} to ${after}`] : []
  })
}
