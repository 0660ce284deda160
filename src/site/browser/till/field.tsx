import type { ComponentChildren, ComponentProps } from 'preact'

type Field = {
  name: string
  label: string
  hint?: string
  value: string
  onChange: (value: string) => void
  input?: ComponentProps<'input'>
}

/** A field of a form with its label, and a hint that is read out with it. */
export function TextField({ name, label, hint, value, onChange, input = {} }: Field) {
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        value={value}
        autocomplete="off"
        spellcheck={false}
        {...(hint === undefined ? {} : { 'aria-describedby': `${name}-hint` })}
        {...input}
        onInput={({ currentTarget }) => onChange(currentTarget.value)}
      />
      {hint !== undefined && <Hint of={name}>{hint}</Hint>}
    </p>
  )
}

type Choice = Omit<Field, 'input'> & { options: readonly (readonly [value: string, text: string])[] }

/** A choice of some. */
export function SelectField({ name, label, value, onChange, options }: Choice) {
  return (
    <p class="field">
      <label for={name}>{label}</label>
      <select
        id={name}
        name={name}
        value={value}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      >
        {options.map(([option, text]) => (
          <option value={option}>{text}</option>
        ))}
      </select>
    </p>
  )
}

function Hint({ of, children }: { of: string; children: ComponentChildren }) {
  return (
    <span class="hint" id={`${of}-hint`}>
      {children}
    </span>
  )
}
