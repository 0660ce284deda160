import { spawnSync } from 'node:child_process'

/** Whether this machine has a program: tests that need it are skipped elsewhere. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, [program === 'go' ? 'version' : '--version']).status === 0
}
