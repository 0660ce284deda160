import { readFile, readdir, readlink } from 'node:fs/promises'
import { treeOf } from '../e2e/process-tree.ts'
import type { Sample } from './trend.ts'

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
