import type { ComponentProps } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Way } from './device.ts'
import { type Connection, wordsFor } from './session.ts'
import { say } from './speech.ts'
import { WAYS } from './words.ts'

type Field = {
  name: string
  label: string
  hint?: string
  value: string
  onChange: (value: string) => void
  input?: ComponentProps<'input'>
}

/** A form field with its label, and a hint that screen readers read with it. */
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
        // Otherwise the browser says it in its own language.
        onInvalid={({ currentTarget }) => currentTarget.setCustomValidity(say('check', { fields: label }))}
        onInput={({ currentTarget }) => {
          currentTarget.setCustomValidity('')
          onChange(currentTarget.value)
        }}
      />
      {hint !== undefined && (
        <span class="hint" id={`${name}-hint`}>
          {hint}
        </span>
      )}
    </p>
  )
}

type Choice = Omit<Field, 'input'> & { options: readonly (readonly [value: string, text: string])[] }

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

/** Chooses how the customer pays, with one press. */
export function Ways({
  way,
  ways,
  onChange,
}: {
  way: Way
  ways: readonly Way[]
  onChange: (way: Way) => void
}) {
  return (
    <fieldset class="ways">
      <legend class="unseen">{say('way')}</legend>
      {ways.map((one) => (
        <label key={one}>
          <input type="radio" name="way" value={one} checked={one === way} onChange={() => onChange(one)} />
          {say(WAYS[one])}
        </label>
      ))}
    </fieldset>
  )
}

/** The head of a table. */
export function Columns({ names }: { names: readonly string[] }) {
  return (
    <thead>
      <tr>
        {names.map((name) => (
          <th scope="col">{name}</th>
        ))}
      </tr>
    </thead>
  )
}

/** Shows an error in an element that is always there, so that screen readers read it out. */
export function Failure({ error }: { error: unknown }) {
  const words = error === null ? null : wordsFor(error)
  return (
    <div role="alert">
      {words && (
        <p class="wrong">
          {words.says}
          {words.detail && (
            <span class="hint" lang="en">
              {words.detail}
            </span>
          )}
        </p>
      )}
    </div>
  )
}

/** Says that the hub is unreachable, in an element that is always there, as `Failure` does. */
export function NoConnection({ connection }: { connection: Connection }) {
  const [isGone, setGone] = useState(false)
  useEffect(() => connection.onChange(setGone), [connection])
  useEffect(() => {
    // The browser's word is only a reason to ask: without a network the hub may still be on this machine.
    const look = () =>
      void connection.fetch('/favicon.svg', { method: 'HEAD', cache: 'no-store' }).catch(() => {})
    for (const event of ['online', 'offline']) addEventListener(event, look)
    return () => {
      for (const event of ['online', 'offline']) removeEventListener(event, look)
    }
  }, [connection])
  return <div aria-live="polite">{isGone && <p class="wrong">{say('noConnection')}</p>}</div>
}
