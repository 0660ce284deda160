import { wordsFor } from './session.ts'

/** Says what went wrong, and where it is explained. The place is there from the beginning: then it is read out when it fills. */
export function Failure({ error }: { error: unknown }) {
  const words = error === null ? null : wordsFor(error)
  return (
    <div role="alert">
      {words && (
        <p class="wrong">
          {words.message}
          {words.code && (
            <>
              {' '}
              <a href={`/docs/errors#${words.code}`}>{words.code}</a>
            </>
          )}
        </p>
      )}
    </div>
  )
}
