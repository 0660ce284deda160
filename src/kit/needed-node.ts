/** Returns what to do about a Node that cannot run the kit, or null. Its syntax is that of Node 14. */
export function tooOld(node: string): string | null {
  const [major = 0, minor = 0] = node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 12)) return null
  return `Install Node 20.12 or newer: this is ${node}.`
}
