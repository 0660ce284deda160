import { marked } from 'marked'
import { nameOf, type Schema } from './document.ts'

/** Text with the marks of Markdown that stand within a line. */
export function Inline({ text }: { text: string }) {
  return <span dangerouslySetInnerHTML={{ __html: marked.parseInline(text, { async: false }) }} />
}

type Field = { name: string; schema: Schema; isRequired: boolean }

/** The fields of an object, those of objects within it under the name of both: `payments.status`. */
function fieldsOf({ properties = {}, required = [] }: Schema, before = ''): Field[] {
  return Object.entries(properties).flatMap(([name, schema]) =>
    [{ name: before + name, schema, isRequired: required.includes(name) }].concat(
      fieldsOf(schema, `${before}${name}.`),
      schema.items ? fieldsOf(schema.items, `${before}${name}[].`) : [],
    ),
  )
}

/** A table of the fields of an object: what each may be, and what it means. */
export function Fields({ schema, caption }: { schema: Schema; caption: string }) {
  const fields = fieldsOf(schema)
  if (fields.length === 0) return null
  return (
    <div class="table" tabindex={0}>
      <table class="fields">
        <caption class="unseen">{caption}</caption>
        <thead>
          <tr>
            <th scope="col">field</th>
            <th scope="col">what it is</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ name, schema: field, isRequired }) => (
            <tr>
              <td>
                <code>{name}</code>
                {isRequired ? null : (
                  <>
                    <br />
                    <span class="soft">may be missing</span>
                  </>
                )}
              </td>
              <td>
                <p class="kind">
                  <Kind schema={field} />
                </p>
                {field.description && <Inline text={field.description} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** What values a schema takes, in words: `text, at most 64 characters`. */
export function Kind({ schema }: { schema: Schema }) {
  if (schema.$ref !== undefined) return <ComponentLink name={nameOf(schema.$ref)} />
  if (schema.anyOf) {
    return (
      <>
        {schema.anyOf.map((one, at) => (
          <>
            {at > 0 && ' or '}
            <Kind schema={one} />
          </>
        ))}
      </>
    )
  }
  if (schema.items) {
    return (
      <>
        list of <Kind schema={schema.items} />
        {limitsOf(schema)}
      </>
    )
  }
  if (schema.enum) return <Values values={schema.enum} />
  if (schema.const !== undefined) return <Values values={[schema.const]} />
  return <>{[schema.type ?? 'anything'].flat().map(wordFor).join(' or ') + limitsOf(schema)}</>
}

/** A link to the paragraph of a component of the document, by its title. */
export function ComponentLink({ name }: { name: string }) {
  return <a href={`#${name}`}>{name}</a>
}

/** More values than these are a list of their own somewhere, such as the currencies. */
const MOST_VALUES = 12

function Values({ values }: { values: readonly unknown[] }) {
  return values.length > MOST_VALUES ? (
    <>one of {values.length} values</>
  ) : (
    <>
      {values.map((value, at) => (
        <>
          {at > 0 && ', '}
          <code>{String(value)}</code>
        </>
      ))}
    </>
  )
}

const WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  boolean: '`true` or `false`'.replaceAll('`', ''),
  object: 'object',
  null: 'null',
}
function wordFor(type: string): string {
  return WORDS[type] ?? type
}

/** Numbers beyond this are limits of the form, which the description tells in words. */
const TOLD = 1e9

function limitsOf(schema: Schema): string {
  const { minLength = 0, maxLength, minimum, maximum, exclusiveMinimum, exclusiveMaximum, format } = schema
  const limits = [
    format === 'uuid' ? 'a UUID' : format === 'uri' ? 'an address' : format === 'date' ? 'a date' : '',
    maxLength === undefined ? '' : `${minLength > 0 ? `${minLength} to` : 'at most'} ${maxLength} characters`,
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum}`,
    exclusiveMinimum === undefined ? '' : `more than ${exclusiveMinimum}`,
    exclusiveMaximum === undefined || exclusiveMaximum > TOLD ? '' : `less than ${exclusiveMaximum}`,
    schema.maxItems === undefined ? '' : `at most ${schema.maxItems}`,
  ]
  return limits
    .filter(Boolean)
    .map((limit) => `, ${limit}`)
    .join('')
}
