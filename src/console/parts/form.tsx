import type { ComponentChildren, InputHTMLAttributes } from 'preact'

type FieldProps = { label: string; hint?: ComponentChildren; children: ComponentChildren }

/** Shows a form field with its label above and its hint below. */
function Field({ label, hint, children }: FieldProps) {
  return (
    <label class="field">
      <span>{label}</span>
      {children}
      {hint && <small>{hint}</small>}
    </label>
  )
}

/** A field for one line of text, which browsers neither complete nor correct. */
export function TextField({
  label,
  hint,
  ...input
}: { label: string; hint?: ComponentChildren } & InputHTMLAttributes) {
  return (
    <Field label={label} hint={hint}>
      <input autocomplete="off" spellcheck={false} {...input} />
    </Field>
  )
}

type ChoiceProps = {
  label: string
  hint?: ComponentChildren
  name: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
}

/**
 * A choice of options, each with its label. It also offers an unknown `value`, such as one from the
 * address, so that the form keeps it.
 */
export function Choice({ label, hint, name, value, options }: ChoiceProps) {
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

type TickProps = { name: string; value: string; isOn: boolean; label: ComponentChildren }

/** A checkbox. Several with the same name let the visitor choose several values. */
export function Tick({ name, value, isOn, label }: TickProps) {
  return (
    <label>
      <input type="checkbox" name={name} value={value} checked={isOn} /> {label}
    </label>
  )
}

type FiltersProps = {
  path: string
  clear?: string
  used: number
  links?: ComponentChildren
  children: ComponentChildren
}

/** Shows the filters of the list at `path`. `used` filters are set. `links` are common choices. */
export function Filters({ path, clear = path, used, links, children }: FiltersProps) {
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
