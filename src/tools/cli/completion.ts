import { type Command, command } from '../program.ts'

const SHELLS = ['bash', 'zsh', 'fish'] as const

/** `hub completion SHELL`: what makes a shell complete the words and flags of the program. */
export function completion(program: () => Command): Command {
  return command({
    does: 'prints what makes a shell complete the words and flags of `hub`',
    example: 'bash >> ~/.bashrc',
    args: {
      shell: { type: 'positional', required: true, options: SHELLS, description: SHELLS.join(', ') },
      json: { type: 'boolean', description: 'the text as one JSON value' },
    },
    run: async ({ shell, json }) => {
      const text = shell === 'fish' ? forFish(program()) : forBash(program(), shell === 'zsh')
      console.log(json ? JSON.stringify({ completion: text }) : text)
      return 0
    },
  })
}

/** The words that choose a command or a group, with it: ["pos", "create"]. */
function paths(
  of: Command,
  before: readonly string[] = [],
): { words: readonly string[]; command: Command }[] {
  return [{ words: before, command: of }].concat(
    Object.entries(of.commands).flatMap(([word, next]) => paths(next, [...before, word])),
  )
}

function flagsOf({ args }: Command): string[] {
  return Object.entries(args).flatMap(([name, { type }]) => (type === 'positional' ? [] : [name]))
}

/** zsh understands it too, once `bashcompinit` is loaded. */
function forBash(program: Command, isZsh: boolean): string {
  const cases = paths(program).map(({ words, command: { commands, ...rest } }) => {
    const next = [...Object.keys(commands), ...flagsOf({ ...rest, commands }).map((name) => `--${name}`)]
    return `    "${words.join(' ')}") words="${next.join(' ')} --help" ;;`
  })
  return `${isZsh ? 'autoload -U +X bashcompinit && bashcompinit\n' : ''}_hub() {
  local words="" typed="" word
  for word in "\${COMP_WORDS[@]:1:2}"; do
    case "$word" in -* | "\${COMP_WORDS[COMP_CWORD]}") break ;; esac
    typed="\${typed:+$typed }$word"
  done
  case "$typed" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _hub hub`
}

function forFish(program: Command): string {
  const lines = paths(program).flatMap(({ words, command: { commands, ...rest } }) => {
    const seen = words.map((word) => `__fish_seen_subcommand_from ${word}`)
    const names = Object.keys(commands)
    const here = [...seen, `not __fish_seen_subcommand_from ${names.join(' ')}`].join('; and ')
    return names
      .map((name) => `complete -c hub -f -n "${here}" -a ${name} -d ${quote(commands[name]?.does ?? '')}`)
      .concat(
        flagsOf({ ...rest, commands }).map(
          (name) =>
            `complete -c hub -n "${seen.join('; and ')}" -l ${name} -d ${quote(descriptionOf(rest.args, name))}`,
        ),
      )
  })
  return lines.join('\n')
}

function descriptionOf(args: Command['args'], name: string): string {
  return args[name]?.description ?? ''
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "\\'")}'`
}
