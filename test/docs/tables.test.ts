import { Status } from '../../src/contract/values.ts'
import { readdirSync } from 'node:fs'
import { join, posix } from 'node:path'
import { ts } from '@ts-morph/common'
import { expect, it } from 'vitest'
import { PROJECT } from '../../src/programs/wrangler.ts'
import { CAUSES, LINK, TODOS } from '../../src/contract/causes.ts'
import { codesOf, read, rowsUnder, sourceOf } from './documents.ts'

/** Returns the first cells of a table, as code. */
function firstOf(page: string, heading: string): string[] {
  return rowsUnder(read(page), heading).flatMap(([first = '']) => codesOf(first))
}

function foldersIn(path: string): string[] {
  return readdirSync(join(PROJECT, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `${posix.join(path, name)}/`)
}

it('every room of src, and every file next to them, has its line in docs/architecture.md', () => {
  const files = readdirSync(join(PROJECT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.d.ts'))
    .map(({ name }) => `src/${name}`)
  const folders = foldersIn('src')
  const documented = firstOf('docs/architecture.md', '## Rooms').filter((path) => path.startsWith('src/'))
  expect(documented.toSorted()).toEqual([...files, ...folders].toSorted())
})

it('every queue of wrangler.toml has its line in docs/architecture.md', () => {
  const queues = Array.from(read('wrangler.toml').matchAll(/^queue = "([\w-]+)"/gm), ([, name = '']) => name)
  expect(firstOf('docs/architecture.md', '## The shape').toSorted()).toEqual([...new Set(queues)].toSorted())
})

const LEVELS: Readonly<Record<string, string>> = {
  Info: 'info',
  Warn: 'warn',
  Failure: 'error',
  Fault: 'error',
}

/** The log events from their types: name, level, fields. Only the compiler sees types. */
function loggedEvents(): [name: string, level: string | undefined, fields: string[]][] {
  const source = ts.createSourceFile(
    'log-events.ts',
    read('src/contract/log-events.ts'),
    ts.ScriptTarget.Latest,
    true,
  )
  const types = new Map(
    source.statements.flatMap((one) => (ts.isTypeAliasDeclaration(one) ? [[one.name.text, one.type]] : [])),
  )
  const fieldsOf = (type: ts.TypeNode): string[] => {
    if (ts.isTypeLiteralNode(type)) return type.members.flatMap(({ name }) => name?.getText() ?? [])
    if (ts.isIntersectionTypeNode(type)) return type.types.flatMap(fieldsOf)
    const shared = ts.isTypeReferenceNode(type) ? types.get(type.typeName.getText()) : undefined
    return shared ? fieldsOf(shared) : []
  }
  const events = types.get('LogEvents')
  if (!events || !ts.isTypeLiteralNode(events)) throw new Error('the log has no events')
  return events.members.flatMap((member) => {
    if (!ts.isPropertySignature(member) || !member.type || !ts.isTypeReferenceNode(member.type)) return []
    const kind = member.type.typeName.getText()
    const fields = (member.type.typeArguments ?? []).flatMap(fieldsOf)
    const name = ts.isStringLiteral(member.name) ? member.name.text : member.name.getText()
    return [[name, LEVELS[kind], kind === 'Fault' ? [...fields, 'error'] : fields]]
  })
}

it('every log event of the Worker has its line in docs/operating, with its level and its fields', () => {
  const events = loggedEvents()
  expect(events.length).toBeGreaterThan(50)
  const documented = ['## Events of the hub', '## Events of payments']
    .flatMap((heading) => rowsUnder(read('docs/operating'), heading))
    .map(([name = '', level, fields = '']) => [codesOf(name)[0], level, codesOf(fields)])
  expect(documented).toHaveLength(events.length)
  expect(documented).toEqual(expect.arrayContaining(events))
})

it('every log event is logged somewhere', () => {
  const source = sourceOf('src')
  const unused = loggedEvents().filter(([name]) => source.split(`'${name}'`).length < 3)
  expect(unused).toEqual([])
})

it('the Worker logs only through the types', () => {
  const others = new Set(
    'build cli client deploy kit local programs rehearsal till'.split(' ').map((room) => `src/${room}/`),
  )
  const folders = foldersIn('src').filter((folder) => !others.has(folder))
  expect(folders.length).toBeGreaterThan(10)
  // Neither a path such as /assets/console.css, nor the last word of a sentence.
  const log = read('src/platform/log.ts')
  for (const folder of folders)
    expect(sourceOf(folder).replace(log, ''), folder).not.toMatch(/(?<![/\w])console(\.\w|\[)/)
})

it('every variable and secret of wrangler.toml is in docs/operating', () => {
  const toml = read('wrangler.toml')
  const [, variables = ''] = /\n\[vars\]\n([^]*?)\n\[/.exec(toml) ?? []
  const [, secrets = ''] = /required = \[([^\]]*)\]/.exec(toml) ?? []
  const named = Array.from(`${variables}\n${secrets}`.matchAll(/^([A-Z_]+) = |"([A-Z_]{5,})"/gm)).map(
    ([, variable, secret]) => variable ?? secret ?? '',
  )
  const documented = [
    ...firstOf('docs/operating', '### Secrets'),
    ...firstOf('docs/operating', '### Settings in `wrangler.toml`'),
  ]
  expect(documented.toSorted()).toEqual(named.toSorted())
})

it('docs/pos/orders.md says what to do in each status of a job', () => {
  expect(firstOf('docs/pos/orders.md', '### Status')).toEqual([...Status.options])
})

/** Writes a sentence of causes.ts as the page has it: without what only a job can say. */
function inPage(sentence: string): string {
  const valueOf = (name: string) => {
    if (name.startsWith('more.')) return ''
    return name.includes(' ') ? name : (name.split('.')[0] ?? '').toUpperCase()
  }
  return sentence.replace(LINK, '$1').replaceAll(/\{(.+?)\}/g, (_, name: string) => valueOf(name))
}

it('docs/operating has each cause once, in the words of causes.ts', () => {
  const lines = Object.entries(CAUSES).map(([cause, { happened, move, todo }]) => {
    const party = move === 'psp' ? 'PSP' : move
    const says = todo.map((name) => inPage(TODOS[name].says)).join(' ')
    return `- \`${cause}\` (${party}): ${inPage(happened)} _Do:_ ${says}`
  })
  const documented = read('docs/operating').match(/^- `[\w-]+` \(\w+\): .+$/gm)
  expect(documented?.toSorted()).toEqual(lines.toSorted())
})
