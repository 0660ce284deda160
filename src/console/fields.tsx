import type { ComponentChildren } from 'preact'

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

/** Asks for the name of a shop or a token. */
export function NameField({ label = 'Name', hint, value }: { label?: string; hint: string; value: string }) {
  return (
    <Field label={label} hint={hint}>
      <input name="name" required maxLength={100} autofocus autocomplete="off" value={value} />
    </Field>
  )
}

/** Adds an unknown value, which an address may carry, as an option, so that the form keeps it. */
export function Choice({
  name,
  value,
  options,
}: {
  name: string
  value: string
  options: readonly (readonly [value: string, label: string])[]
}) {
  return (
    <select name={name}>
      {[...options, ...(options.some(([option]) => option === value) ? [] : [[value, value] as const])].map(
        ([option, label]) => (
          <option key={option} value={option} selected={option === value}>
            {label}
          </option>
        ),
      )}
    </select>
  )
}
