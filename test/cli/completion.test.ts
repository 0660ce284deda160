import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { VERSION } from '../../src/platform/version.ts'
import { runHub } from './run-hub.ts'

async function scriptFor(shell: string): Promise<string> {
  const { code, out } = await runHub(['completion', shell])
  expect(code).toBe(0)
  return out.join('\n')
}

it.each([
  [
    ['hub', ''],
    ['pos', 'psp', 'job', 'completion'],
  ],
  [
    ['hub', 're'],
    ['report', 'retention'],
  ],
  [['hub', 'pos', 'cr'], ['create']],
  [
    ['hub', 'job', 'refund', '--a'],
    ['--amount', '--all'],
  ],
  [['hub', 'job', 'refund', 'A-1', '--k'], ['--key']],
  [['hub', 'status', '--ch'], ['--check']],
])('bash completes %j', async (words, offered) => {
  const typed = words.map((word) => `'${word}'`).join(' ')
  const program = `${await scriptFor('bash')}\nCOMP_WORDS=(${typed}); COMP_CWORD=${words.length - 1}; _hub; echo "\${COMPREPLY[@]}"`
  const shown = execFileSync('bash', ['-c', program], { encoding: 'utf8' }).trim().split(' ')
  expect(shown).toEqual(expect.arrayContaining(offered))
  for (const word of shown) expect(word.startsWith(words.at(-1) ?? '')).toBe(true)
})

it('zsh and fish get scripts of their own', async () => {
  expect(await scriptFor('zsh')).toMatch(/^autoload -U \+X bashcompinit/)
  expect(await scriptFor('fish')).toMatch(
    /^complete -c hub .*__fish_seen_subcommand_from pos; and .* -a create -d /m,
  )
  expect((await runHub(['completion', 'tcsh'])).code).toBe(2)
})

it('hub --version prints only the release', async () => {
  expect(await runHub(['--version'])).toEqual({ code: 0, out: [VERSION], err: [] })
})
