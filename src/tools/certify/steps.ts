/** A request as anybody can send it again. */
export type Sent = {
  method: 'GET' | 'POST'
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
}

/** One thing that happened while a scenario was played, and what came of it. */
export type Step = { at: string; does: string; request: Sent | null; answer: string; ms: number }

/** The steps of a scenario, in the order in which they ended. */
export type Steps = {
  all: readonly Step[]
  note: (does: string, answer?: string) => void
  /** Makes a request by `send`, and notes what `answerOf` says of its answer. */
  take: <Answer>(
    does: string,
    request: Sent,
    send: (request: Sent) => Promise<Answer>,
    answerOf: (answer: Answer) => string,
  ) => Promise<Answer>
}

export function newSteps(): Steps {
  const all: Step[] = []
  const add = (begun: number, step: Omit<Step, 'at' | 'ms'>) =>
    all.push({ at: new Date(begun).toISOString(), ...step, ms: Date.now() - begun })
  return {
    all,
    note: (does, answer = '') => void add(Date.now(), { does, request: null, answer }),
    take: async (does, request, send, answerOf) => {
      const begun = Date.now()
      try {
        const answer = await send(request)
        add(begun, { does, request, answer: answerOf(answer) })
        return answer
      } catch (error) {
        add(begun, { does, request, answer: error instanceof Error ? error.message : 'failed' })
        throw error
      }
    },
  }
}

/** The command that sends a request again. */
export function curlOf({ method, url, headers, body }: Sent): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`
  const words = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const data = body === undefined ? [] : [`--data-raw ${quoted(body)}`]
  return ['curl -si', `-X ${method}`, ...words, ...data, quoted(url)].join(' ')
}
