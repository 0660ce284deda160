import * as v from 'valibot'

/** What is read of a V8 CPU profile: each sample names a node of the call tree, and its delta (µs) is the time since the one before. */
export const CpuProfile = v.object({
  nodes: v.array(
    v.object({
      id: v.number(),
      callFrame: v.object({ functionName: v.string(), url: v.string(), lineNumber: v.number() }),
      children: v.optional(v.array(v.number()), []),
    }),
  ),
  samples: v.array(v.number()),
  timeDeltas: v.array(v.number()),
})
export type CpuProfile = v.InferOutput<typeof CpuProfile>

/** The time (µs) that a part of the program took by itself. What the platform does for it counts as its caller's, and is named too. */
export type Share = { part: string; micros: number; platform: Record<string, number> }

const IDLE = '(idle)'
const ENGINE: Record<string, string> = {
  '(program)': 'the runtime, outside JavaScript',
  '(garbage collector)': 'the garbage collector',
}

/**
 * Where the time of a profile went, the largest part first. `partOf` names the part of a place in the program, or null for what is
 * none of it: the platform's own functions.
 */
export function sharesOf(
  { nodes, samples, timeDeltas }: CpuProfile,
  partOf: (url: string, line: number) => string | null,
): Share[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children }) => children.map((child) => [child, id] as const)))
  const ownerOf = (id: number | undefined): string => {
    const node = id === undefined ? undefined : byId.get(id)
    if (!node) return 'the platform'
    const { url, lineNumber } = node.callFrame
    return partOf(url, lineNumber) ?? ownerOf(parents.get(node.id))
  }
  const shares = new Map<string, Share>()
  for (const [place, id] of samples.entries()) {
    const frame = byId.get(id)?.callFrame
    if (!frame || frame.functionName === IDLE) continue
    const micros = timeDeltas[place] ?? 0
    const part = ENGINE[frame.functionName] ?? ownerOf(id)
    const share = shares.get(part) ?? { part, micros: 0, platform: {} }
    share.micros += micros
    if (!ENGINE[frame.functionName] && partOf(frame.url, frame.lineNumber) === null) {
      const name = frame.functionName || 'a call of an object'
      share.platform[name] = (share.platform[name] ?? 0) + micros
    }
    shares.set(part, share)
  }
  return [...shares.values()].toSorted((one, other) => other.micros - one.micros)
}

const HEADING =
  /^\/\/ (?:\.\.\/)*(?:node_modules\/((?:@[^/]+\/)?[^/]+)|(src\/[^/\n]+(?:\/(?:d1|kv|objects))?)\/)/

/** The part of each line of a bundle: esbuild writes the file's path above what it took from it. Folders of ours, packages of others. */
export function partsOfBundle(text: string): (string | null)[] {
  let part: string | null = null
  return text.split('\n').map((line) => {
    const [, name, folder] = HEADING.exec(line) ?? []
    part = name ?? folder ?? (line.startsWith('// src/') ? 'src' : part)
    return part
  })
}
