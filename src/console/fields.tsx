import type { ComponentChildren } from 'preact'

/** A field of a form, with its name above it and what helps to fill it in below. */
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

/** A name that an operator gives: of a shop, of a token. */
export function NameField({ label = 'Name', hint, value }: { label?: string; hint: string; value: string }) {
  return (
    <Field label={label} hint={hint}>
      <input name="name" required maxLength={100} autofocus autocomplete="off" value={value} />
    </Field>
  )
}

/** One of the options. A value that is none of them, as an address may have, is one more: the form does not lose it. */
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
