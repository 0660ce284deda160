import { spawnSync } from 'node:child_process'

/** What some tests need, with the packages of Debian that have it. */
const PROGRAMS: Readonly<Record<string, string>> = {
  bash: 'bash',
  curl: 'curl',
  openssl: 'openssl',
  python3: 'python3',
  php: 'php-cli php-curl',
  go: 'golang-go',
  ruby: 'ruby',
  java: 'default-jdk-headless',
  git: 'git',
  hledger: 'hledger',
  'bean-check': 'beancount',
  ledger: 'ledger',
}

/** Whether this machine has a program. Tests that need a missing program are skipped. */
export function isInstalled(program: string): boolean {
  return spawnSync(program, [/^(go|openssl)$/.test(program) ? 'version' : '--version']).status === 0
}

/** CI names what it has installed: a test that is skipped although its program is there proves nothing. */
for (const program of process.env['MUST_RUN']?.split(' ') ?? [])
  if (!isInstalled(program)) throw new Error(`${program} does not run, so its tests would be skipped.`)

/** Names the programs for want of which tests were skipped, and how to get them; null if none is missing. */
export function missingPrograms(): string | null {
  const missing = Object.keys(PROGRAMS).filter((program) => !isInstalled(program))
  if (missing.length === 0) return null
  const packages = missing.map((program) => PROGRAMS[program])
  return `Some tests were skipped, because these programs are missing: ${missing.join(', ')}. On Debian: apt-get install ${packages.join(' ')}`
}
