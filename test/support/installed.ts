import { spawnSync } from 'node:child_process'

/** Whether this machine has a program. Tests that need a missing program are skipped. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0
}
