/** A request as anybody can send it again. */
export type Sent = {
  method: 'GET' | 'POST'
  url: string
  headers: Readonly<Record<string, string>>
  body?: string
}

/** One thing that happened while a scenario was played, and the answer. */
export type PlayedStep = { at: string; does: string; request: Sent | null; answer: string; ms: number }

/** The steps of a scenario, in the order in which they ended. */
export type Steps = {
  all: readonly PlayedStep[]
  note: (does: string, answer?: string) => void
  /** Called when the shop takes long over something that concerns no other scenario. */
  isSlow: () => void
  /** Makes a request by `send`, and notes what `answerOf` says of its answer. */
  take: <Answer>(
    does: string,
    request: Sent,
    send: (request: Sent) => Promise<Answer>,
    answerOf: (answer: Answer) => string,
  ) => Promise<Answer>
}

export function newSteps(isSlow: Steps['isSlow'] = () => {}): Steps {
  const all: PlayedStep[] = []
  const add = (begun: number, step: Omit<PlayedStep, 'at' | 'ms'>) =>
    all.push({ at: new Date(begun).toISOString(), ...step, ms: Date.now() - begun })
  return {
    all,
    isSlow,
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
  const quoted = (word: string) => `'${word.replaceAll("'", String.raw`'\''`)}'`
  const words = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`)
  const data = body === undefined ? [] : [`--data-raw ${quoted(body)}`]
  return ['curl -si', `-X ${method}`, ...words, ...data, quoted(url)].join(' ')
}

/** The result of a scenario. `did` says what the shop did wrong, or why it was not played. */
export type Result = {
  name: string
  does: string
  should: string
  result: 'passed' | 'failed' | 'not played'
  did: string
  steps: readonly PlayedStep[]
}

/** The result of a run. `incomplete`: no scenario failed, but the run left some out. */
export type Certificate = {
  shop: string
  hub: string
  played: string
  verdict: 'passed' | 'failed' | 'incomplete'
  scenarios: readonly Result[]
}

export function verdictOf(results: readonly Result[]): Certificate['verdict'] {
  if (results.some(({ result }) => result === 'failed')) return 'failed'
  return results.every(({ result }) => result === 'passed') ? 'passed' : 'incomplete'
}

export function countOf({ scenarios }: Certificate, wanted: Result['result']): number {
  return scenarios.filter(({ result }) => result === wanted).length
}

const ORDER: readonly Result['result'][] = ['failed', 'not played', 'passed']

/** The results in the order in which a developer needs them: what failed comes first. */
export function mostUrgentFirst(results: readonly Result[]): Result[] {
  return results.toSorted((one, other) => ORDER.indexOf(one.result) - ORDER.indexOf(other.result))
}

/** A mistake of the shop, how many scenarios it fails, and what most of these advise. */
export type SharedMistake = {
  did: string
  failed: number
  advice: readonly { should: string; names: readonly string[] }[]
}

/** Returns the mistakes that fail several scenarios, the most frequent first. */
export function sharedMistakes(results: readonly Result[]): SharedMistake[] {
  const failed = results.filter(({ result }) => result === 'failed')
  return Array.from(new Set(failed.map(({ did }) => did)), (did) => {
    const alike = failed.filter((result) => result.did === did)
    const advice = Array.from(new Set(alike.map(({ should }) => should)), (should) => ({
      should,
      names: alike.filter((result) => result.should === should).map(({ name }) => name),
    }))
    // More advice hides the cause, which is then in none of it.
    const usual = advice.toSorted((one, other) => other.names.length - one.names.length)
    return { did, failed: alike.length, advice: usual.slice(0, 3) }
  })
    .filter((mistake) => mistake.failed > 1)
    .toSorted((one, other) => other.failed - one.failed)
}

/** The certificate as a page of its own: it loads nothing, and can be kept and sent. */
export function pageOf(certificate: Certificate): string {
  const { shop, hub, played, verdict, scenarios } = certificate
  const mistakes = sharedMistakes(scenarios)
  const isRepeated = ({ name, did }: Result) =>
    mistakes.some((mistake) => mistake.did === did && mistake.advice[0]?.names[0] !== name)
  const counts = (['passed', 'failed', 'not played'] as const)
    .map((result) => `${countOf(certificate, result)} ${result}`)
    .join(', ')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Certificate of ${text(shop)}</title>
<style>${STYLE}</style>
<main>
<h1>${text(shop)}: <span class="${verdict}">${verdict}</span></h1>
<p>${counts}. Played on ${played.slice(0, 16).replace('T', ' at ')} UTC against the hub at ${text(hub)}, in test mode.</p>
${mistakes.map(mistakeOf).join('\n')}
${mostUrgentFirst(scenarios)
  .map((result) => sectionOf(result, result.result === 'failed' && !isRepeated(result)))
  .join('\n')}
</main>
</html>
`
}

function mistakeOf({ did, failed, advice }: SharedMistake): string {
  const items = advice.map(({ should, names }) => {
    const links = names.map((name) => `<a href="#${name}">${name}</a>`).join(', ')
    return `<li>${text(should)} <small>${links}</small></li>`
  })
  return `<h2><span class="failed">${failed} scenarios failed:</span> ${text(did)}</h2>
<ul>${items.join('\n')}</ul>`
}

function sectionOf({ name, does, should, result, did, steps }: Result, isOpen: boolean): string {
  return `<details${isOpen ? ' open' : ''} id="${name}">
<summary><span class="${result === 'not played' ? 'incomplete' : result}">${result}</span> <b>${name}</b> <span>${text(does)}</span></summary>
<dl><dt>What a good shop does</dt><dd>${text(should)}</dd>
${did === '' ? '' : `<dt>What happened</dt><dd>${text(did)}</dd>`}</dl>
<ol>${steps.map(itemOf).join('\n')}</ol>
</details>`
}

function itemOf({ at, does, request, answer, ms }: PlayedStep): string {
  const came = answer === '' ? '' : ` → <b>${text(answer)}</b> <small>${ms} ms</small>`
  const replay =
    request === null
      ? ''
      : `<details><summary>As a command</summary><pre>${text(curlOf(request))}</pre></details>`
  return `<li><time>${at.slice(11, 23)}</time> ${text(does)}${came}${replay}</li>`
}

function text(raw: string): string {
  return raw.replaceAll(/[&<>"]/g, (letter) => `&#${letter.charCodeAt(0)};`)
}

const STYLE = `
html { color-scheme: light dark; }
@media print { html { color-scheme: light; } }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; }
main > details { border: 1px solid #8886; border-radius: .5rem; margin: .5rem 0; padding: .5rem 1rem; }
summary { cursor: pointer; }
summary b { margin: 0 .5rem; }
summary span:last-child { display: inline-block; }
li { margin: .25rem 0; }
li summary { font-size: .8rem; }
ol { padding-left: 1.5rem; }
h1 span, h2 span, summary span:first-child { font-weight: 600; }
.passed { color: light-dark(#15691f, #6fd47f); } .failed { color: light-dark(#b3161b, #ff8b8b); }
.incomplete { color: light-dark(#6b5a00, #e5cf6b); }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; background: #8882; padding: .5rem; }
`
