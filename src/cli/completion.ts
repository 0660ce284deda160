import type { Command } from '../programs/program.ts'
import { hubCommand } from '../programs/hub-command.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** Makes `hub completion SHELL`, which prints a script that completes words and flags. */
export function completion(program: () => Command): Command {
  return hubCommand({
    does: 'print what makes a shell complete the words and flags of `hub`',
    example: 'bash >> ~/.bashrc',
    args: { shell: { type: 'positional', required: true, options: SHELLS, description: SHELLS.join(', ') } },
    run: async ({ shell, json }) => {
      const text = SCRIPTS[shell](placesIn(program())).join('\n')
      console.log(json ? JSON.stringify({ completion: text }) : text)
    },
  })
}

/** The words and flags that may follow some words, each with its description. */
type Place = { behind: readonly string[]; words: Readonly<Record<string, string>>; flags: Place['words'] }

function placesIn({ commands, args }: Command, behind: readonly string[] = []): Place[] {
  const flags = Object.entries(args).filter(([, { type }]) => type !== 'positional')
  const here = {
    behind,
    words: Object.fromEntries(Object.entries(commands).map(([word, { does }]) => [word, does])),
    flags: Object.fromEntries(flags.map(([name, { description }]) => [name, description])),
  }
  return [here, ...Object.entries(commands).flatMap(([word, next]) => placesIn(next, [...behind, word]))]
}

const SCRIPTS: Readonly<Record<(typeof SHELLS)[number], (places: readonly Place[]) => string[]>> = {
  bash: (places) => [
    `_hub() {
  local words="" typed="" word
  for word in "\${COMP_WORDS[@]:1:2}"; do
    case "$word" in -* | "\${COMP_WORDS[COMP_CWORD]}") break ;; esac
    typed="\${typed:+$typed }$word"
  done
  case "$typed" in`,
    ...places.map(({ behind, words, flags }) => {
      const next = [...Object.keys(words), ...Object.keys(flags).map((name) => `--${name}`), '--help']
      return `    "${behind.join(' ')}") words="${next.join(' ')}" ;;`
    }),
    `  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _hub hub`,
  ],
  zsh: (places) => ['autoload -U +X bashcompinit && bashcompinit', ...SCRIPTS.bash(places)],
  fish: (places) =>
    places.flatMap(({ behind, words, flags }) => {
      const seen = behind.map((word) => `__fish_seen_subcommand_from ${word}`)
      const here = [...seen, `not __fish_seen_subcommand_from ${Object.keys(words).join(' ')}`].join('; and ')
      return [
        ...Object.entries(words).map(
          ([word, does]) => `complete -c hub -f -n "${here}" -a ${word} -d ${quote(does)}`,
        ),
        ...Object.entries(flags).map(
          ([name, does]) => `complete -c hub -n "${seen.join('; and ')}" -l ${name} -d ${quote(does)}`,
        ),
      ]
    }),
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`
}
