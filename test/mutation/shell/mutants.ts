import { ts } from '@ts-morph/common'
import { replacementsOf } from './operators.ts'

/** One small change of a source file that a test should notice. */
export type Mutant = {
  readonly id: string
  readonly file: string
  readonly line: number
  /** The line of the file that it begins in. */
  readonly at: string
  readonly from: string
  readonly to: string
  /** What of the file's text it replaces. */
  readonly replaced: { readonly start: number; readonly end: number; readonly by: string }
}

type Choice = { readonly id: string; readonly text: string }
type Switchable = { readonly mutants: readonly Mutant[]; readonly code: string }

function isFunction(node: ts.Node): boolean {
  return ts.isFunctionLike(node) && 'body' in node
}

/** What is no code that runs: types, imports, and what stands in them. */
function isSkipped(node: ts.Node): boolean {
  return (
    ts.isTypeNode(node) ||
    ts.isImportDeclaration(node) ||
    ts.isExportDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node) ||
    ts.isJsxAttribute(node) ||
    ts.isDecorator(node)
  )
}

function shorten(text: string): string {
  return text.replaceAll(/\s+/g, ' ').slice(0, 80)
}

/**
 * All mutants of a file, and the file with all of them compiled in: the one whose id `__mutant` is told to be on is what runs.
 * So a runtime is started once for hundreds of mutants. Only code inside functions is changed, for what a module does when it is
 * loaded is done once, whatever is switched on later.
 */
export function switchable(file: string, source: string): Switchable {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ESNext, true)
  const lines = source.split('\n')
  const mutants: Mutant[] = []

  const choicesFor = (node: ts.Node, within: boolean): Choice[] =>
    (within ? replacementsOf(node) : []).map((text) => {
      const line = tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1
      const id = `${file}#${mutants.length}`
      mutants.push({
        id,
        file,
        line,
        at: lines[line - 1] ?? '',
        from: shorten(node.getText(tree)),
        to: shorten(text),
        replaced: { start: node.getStart(tree), end: node.getEnd(), by: text },
      })
      return { id, text }
    })

  /** The text of a node from where its own text starts, with what lies before it where that is asked for. */
  const print = (node: ts.Node, within: boolean): string => {
    if (isSkipped(node)) return node.getText(tree)
    const choices = choicesFor(node, within)
    let at = node.getStart(tree)
    let text = ''
    ts.forEachChild(node, (child) => {
      text += source.slice(at, child.getStart(tree)) + print(child, within || isFunction(node))
      at = child.getEnd()
    })
    text += source.slice(at, node.getEnd())
    return choices.length === 0 ? text : withChoices(node, choices, text)
  }

  const withChoices = (node: ts.Node, choices: readonly Choice[], text: string): string => {
    if (ts.isThrowStatement(node))
      return `{ if (!${choices.map(({ id }) => isOn(id)).join(' && !')}) { ${text} } }`
    const tail = ts.isExpressionStatement(node) ? text.replace(/;\s*$/, '') : text
    const chain = choices.map(({ id, text: other }) => `${isOn(id)} ? (${other}) : `).join('')
    const whole = `(${chain}(${tail}))`
    return ts.isExpressionStatement(node) ? `{ ${whole}; }` : whole
  }

  const code = source.slice(0, tree.getStart(tree)) + print(tree, false)
  return { mutants, code: code + source.slice(tree.getEnd()) }
}

function isOn(id: string): string {
  return `globalThis.__mutant(${JSON.stringify(id)})`
}
