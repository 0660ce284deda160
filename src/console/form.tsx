import type { ComponentChildren, InputHTMLAttributes } from 'preact'

/** Shows a form field with its label above and its hint below. */
export function Field({
  label,
  hint,
  children,
}: {
  label: string
  hint?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint && <small>{hint}</small>}
    </label>
  )
}

/** A field for one line of text, which browsers neither complete nor correct. */
export function TextField({ label, hint, ...input }: { label: string; hint?: string } & InputHTMLAttributes) {
  return (
    <Field label={label} hint={hint}>
      <input autocomplete="off" spellcheck={false} {...input} />
    </Field>
  )
}

/** Asks for the name of a shop or a token. */
export function NameField({ label = 'Name', hint, value }: { label?: string; hint: string; value: string }) {
  return <TextField label={label} hint={hint} name="name" required maxLength={100} autofocus value={value} />
}

/**
 * A choice of options, each with its label. It also offers an unknown `value`, such as one from the
 * address, so that the form keeps it.
 */
export function Choice({
  label,
  hint,
  name,
  value,
  options,
}: {
  label: string
  hint?: string
  name: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
}) {
  const isKnown = options.some(([option]) => option === value)
  return (
    <Field label={label} hint={hint}>
      <select name={name}>
        {(isKnown ? options : [...options, [value, value] as const]).map(([option, text]) => (
          <option key={option} value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  )
}

/** A checkbox. Several with the same name let the visitor choose several values. */
export function Tick({
  name,
  value,
  isOn,
  label,
}: {
  name: string
  value: string
  isOn: boolean
  label: string
}) {
  return (
    <label>
      <input type="checkbox" name={name} value={value} checked={isOn} /> {label}
    </label>
  )
}

/** Shows the filters of the list at `path`. `used` filters are set. `links` are common choices. */
export function Filters({
  path,
  clear = path,
  used,
  links,
  children,
}: {
  path: string
  clear?: string
  used: number
  links?: ComponentChildren
  children: ComponentChildren
}) {
  return (
    <details class="filters" open={used > 0}>
      <summary>{used === 0 ? 'Filter' : `Filter · ${used} set`}</summary>
      <form action={path}>
        {children}
        <p class="buttons">
          <button type="submit" class="first">
            Show
          </button>
          {links}
          {used > 0 && <a href={clear}>Clear</a>}
        </p>
      </form>
    </details>
  )
}
