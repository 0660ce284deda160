import type * as v from 'valibot'

/**
 * A Valibot schema as its parts tell of it. A pipe has the schema's own members too, and its
 * actions in `pipe`.
 */
type Node = {
  type: string
  pipe?: readonly (Node & { description?: string })[]
  entries?: Record<string, Node>
  item?: Node
  items?: readonly Node[]
  wrapped?: Node
  options?: readonly (Node | string)[]
  literal?: unknown
}

/**
 * Schemas by the names of their types: one that is part of another is written by its name there.
 */
export type NamedSchemas = Readonly<Record<string, v.GenericSchema>>

/**
 * The types of what schemas give (`v.InferOutput`), written out in TypeScript with their
 * descriptions: for a program that has no Valibot. Throws for a kind of schema that it does not
 * know.
 */
export function schemaTypes(schemas: NamedSchemas): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Valibot's types of schemas say less than the schemas
  const named = Object.entries(schemas) as unknown as [string, Node][]
  const nameOf = (node: Node): string | undefined => named.find(([, known]) => known === node)?.[0]

  const write = (node: Node, depth: number): string => {
    const indent = '  '.repeat(depth)
    switch (node.type) {
      case 'string':
      case 'number':
      case 'boolean':
        return node.type
      // The contract has one custom schema: a number that may be sent as a text
      // (src/contract/values.ts).
      case 'custom':
        return 'string | number'
      case 'literal':
        return JSON.stringify(node.literal)
      case 'picklist':
        return (node.options ?? []).map((option) => JSON.stringify(option)).join(' | ')
      case 'union':
        return [...new Set(nodesIn(node.options).map((option) => refer(option, depth)))].join(' | ')
      case 'nullable':
        return `${refer(wrappedIn(node), depth)} | null`
      case 'array': {
        const item = refer(itemOf(node), depth)
        return /^\w+$/.test(item) ? `${item}[]` : `(${item})[]`
      }
      case 'object': {
        const members = Object.entries(node.entries ?? {}).map(([name, member]) => {
          const isOptional = member.type === 'exact_optional' || member.type === 'optional'
          const inner = isOptional ? wrappedIn(member) : member
          const text = descriptionOf(member) ?? descriptionOf(inner)
          const comment = text === undefined ? '' : `${indent}  ${commentOf(text)}\n`
          return `${comment}${indent}  ${name}${isOptional ? '?' : ''}: ${refer(inner, depth + 1)}\n`
        })
        return `{\n${members.join('')}${indent}}`
      }
      default:
        throw new Error(`no type is known for a schema of the kind ${node.type}`)
    }
  }
  const refer = (node: Node, depth: number): string => nameOf(node) ?? write(node, depth)

  return named
    .map(([name, node]) => {
      const text = descriptionOf(node)
      return `${text === undefined ? '' : `${commentOf(text)}\n`}export type ${name} = ${write(node, 0)}\n`
    })
    .join('\n')
}

/** What a schema says of itself; a pipe may begin with a schema that says it. */
function descriptionOf({ pipe = [] }: Node): string | undefined {
  const [first, ...actions] = pipe
  const own = actions.findLast(({ type }) => type === 'description')?.description
  return own ?? (first?.pipe ? descriptionOf(first) : undefined)
}

function commentOf(text: string): string {
  return `/** ${text.replaceAll('*/', '*\\/')} */`
}

function nodesIn(options: Node['options'] = []): readonly Node[] {
  return options.filter((option): option is Node => typeof option !== 'string')
}

function wrappedIn({ wrapped, type }: Node): Node {
  if (!wrapped) throw new Error(`a schema of the kind ${type} wraps nothing`)
  return wrapped
}

function itemOf({ item }: Node): Node {
  if (!item) throw new Error('an array has no items')
  return item
}
