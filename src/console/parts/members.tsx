import type { VNode } from 'preact'
import * as v from 'valibot'
import type { Operation } from '../../contract/operation.ts'
import { describedSchema, listIn, membersOf } from '../../contract/body-members.ts'
import type { Values } from '../plumbing/values.ts'
import { Choice, TextField, Tick } from './form.tsx'

type Options = readonly (readonly [value: string, label: string])[]

/** How a form shows a member of a body, if not as the contract says. */
type Field = {
  /** The values to choose from. */
  options?: Options
  /** The value at first. */
  value?: string
  /** Stands in its place; null for none. */
  instead?: VNode | null
}
export type Shown = { readonly [member: string]: Field }

type MembersProps = { row: Operation; values: Values; shown: Shown }

/**
 * Shows a field for each member of an operation's body. Fields that only the form has, such as a parameter of
 * the path, come first.
 */
export function Members({ row, values, shown }: MembersProps) {
  const members = membersOf(row)
  const others = Object.entries(shown).filter(([name]) => !members.some(([member]) => member === name))
  return (
    <>
      {[...others.map(([name]) => [name, v.string()] as const), ...members].map(([name, schema]) => (
        <Member key={name} name={name} schema={schema} values={values} field={shown[name]} />
      ))}
    </>
  )
}

type MemberProps = { name: string; schema: v.GenericSchema; values: Values; field: Field | undefined }

function Member({ name, schema, values, field: { options, value, instead } = {} }: MemberProps) {
  if (instead !== undefined) return instead
  const said = describedSchema(schema)
  const usual: unknown = v.getDefault(schema)
  const label = labelOf(name)
  const description = v.getDescription(said)
  const hint = description && <Words>{description}</Words>
  const required = !schema.type.endsWith('optional')
  const choices = options ?? choicesOf(said)
  const first = value ?? usual ?? (required && choices?.[0]?.[0])
  const given = values.all(name).at(-1) ?? (typeof first === 'string' ? first : first === true ? 'true' : '')
  const known = { name, label, hint, value: given }
  if (said.type === 'array' && choices)
    return (
      <fieldset class="field">
        <legend>{hint}</legend>
        {choices.map(([one, text]) => (
          <Tick key={one} name={name} value={one} isOn={values.all(name).includes(one)} label={text} />
        ))}
      </fieldset>
    )
  if (choices)
    return <Choice {...known} options={required || usual !== undefined ? choices : [NONE, ...choices]} />
  if (said.type === 'boolean' && usual !== undefined)
    return (
      <p>
        <input type="hidden" name={name} value="false" />
        <Tick name={name} value="true" isOn={given === 'true'} label={hint} />
      </p>
    )
  if (said.type === 'boolean') return <Choice {...known} options={[NONE, ['true', 'Yes'], ['false', 'No']]} />
  if (said.type === 'number') return <TextField {...known} type="number" min="0" required={required} />
  return <TextField {...known} required={required && said.type === 'string'} />
}

const NONE = ['', '–'] as const

/** Returns the values of a picklist, or of a list of them. */
function choicesOf(schema: v.GenericSchema): Options | undefined {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a list has items
  if ('item' in schema) return choicesOf(schema.item as v.GenericSchema)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only a picklist has options
  const options = 'options' in schema ? (schema.options as readonly string[]) : undefined
  return options?.map((option) => [option, labelOf(option)] as const)
}

/** Writes a name of the API as a label: `refundLimits` as `Refund limits`. */
function labelOf(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Shows a sentence of the contract, whose Markdown has only code. */
export function Words({ children }: { children: string }) {
  return (
    <>
      {children.split('`').map((part, place) => (place % 2 === 1 ? <code key={place}>{part}</code> : part))}
    </>
  )
}

/** Makes an operation's body from a form, without what was left empty. */
export function bodyOf(row: Operation, values: Values): Readonly<Record<string, unknown>> {
  const given = membersOf(row).flatMap(([name, schema]) => {
    const all = values.all(name)
    const text = all.at(-1) ?? ''
    return text === '' ? [] : [[name, valueOf(describedSchema(schema), text, all)] as const]
  })
  return Object.fromEntries(given)
}

function valueOf(schema: v.GenericSchema, text: string, all: readonly string[]): unknown {
  if (schema.type === 'boolean') return text === 'true'
  if (schema.type === 'number') return Number(text)
  if (schema.type === 'array') return choicesOf(schema) ? all : listIn(text)
  return text
}
