import { type Step, curlOf } from './steps.ts'

/** What a scenario showed. `did` says what the shop did wrong, or why nobody knows. */
export type Result = {
  name: string
  does: string
  should: string
  result: 'passed' | 'failed' | 'not played'
  did: string
  steps: readonly Step[]
}

/** What a shop has proven of its integration. `incomplete`: nothing failed, not all was played. */
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

/** The certificate as a page of its own: it loads nothing, and can be kept and sent. */
export function pageOf(certificate: Certificate): string {
  const { shop, hub, played, verdict, scenarios } = certificate
  const counts = (['passed', 'failed', 'not played'] as const)
    .map((result) => `${countOf(certificate, result)} ${result}`)
    .join(', ')
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Certificate of ${text(shop)}</title>
<style>${STYLE}</style>
<h1>${text(shop)}: <span class="${verdict}">${verdict}</span></h1>
<p>${counts}. Played on ${played.slice(0, 16).replace('T', ' at ')} UTC against the hub at ${text(hub)}, in test mode.</p>
${scenarios.map(sectionOf).join('\n')}
</html>
`
}

function sectionOf({ name, does, should, result, did, steps }: Result): string {
  const open = result === 'failed' ? ' open' : ''
  return `<details${open} id="${name}">
<summary><span class="${result === 'not played' ? 'incomplete' : result}">${result}</span> <b>${name}</b> <span>${text(does)}</span></summary>
<dl><dt>What a good shop does</dt><dd>${text(should)}</dd>
${did === '' ? '' : `<dt>What happened</dt><dd>${text(did)}</dd>`}</dl>
<ol>${steps.map(itemOf).join('\n')}</ol>
</details>`
}

function itemOf({ at, does, request, answer, ms }: Step): string {
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
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; }
body > details { border: 1px solid #8886; border-radius: .5rem; margin: .5rem 0; padding: .5rem 1rem; }
summary { cursor: pointer; }
summary b { margin: 0 .5rem; }
summary span:last-child { display: inline-block; }
li { margin: .25rem 0; }
li summary { font-size: .8rem; }
ol { padding-left: 1.5rem; }
h1 span, summary span:first-child { font-weight: 600; }
.passed { color: light-dark(#15691f, #6fd47f); } .failed { color: light-dark(#b3161b, #ff8b8b); }
.incomplete { color: light-dark(#6b5a00, #e5cf6b); }
dt { font-weight: 600; } dd { margin: 0 0 .5rem; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; background: #8882; padding: .5rem; }
`
