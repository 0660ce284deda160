import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { Token, Tokens } from 'marked'
import { PROJECT } from '../wrangler.ts'
import { atThisHub } from './at-this-hub.ts'
import { highlight } from './highlight.ts'

/** A sample in one language. */
type Sample = { name: string; language: string; code: string }

function isLink(token: Token): token is Tokens.Link {
  return token.type === 'link'
}

function linksIn(tokens: readonly Token[]): Tokens.Link[] {
  return tokens.filter(isLink)
}

/** Whether a paragraph has nothing but links to samples, with points between them: `[curl](samples/token.sh) · …`. */
export function isSamples(tokens: readonly Token[]): boolean {
  return (
    linksIn(tokens).length > 0 &&
    tokens.every((token) => (isLink(token) ? token.href.startsWith('samples/') : /^[\s·]*$/.test(token.raw)))
  )
}

/** The samples that a paragraph links to. They are the files that tests run. */
export function samplesOf(tokens: readonly Token[]): Sample[] {
  return linksIn(tokens).map(({ text, href }) => ({
    name: text,
    language: extname(href).slice(1),
    code: atThisHub(readFileSync(join(PROJECT, 'docs', 'pos', href), 'utf8').trimEnd()),
  }))
}

/** Samples under tabs, which need no script: each tab is a radio button. On paper, and without styles, all are shown. */
export function tabs(group: string, samples: readonly Sample[]): string {
  const buttons = samples.map(
    ({ name, language }, at) =>
      `<input type="radio" name="${group}" id="${group}-${language}" value="${language}"${at === 0 ? ' checked' : ''}><label for="${group}-${language}">${name}</label>`,
  )
  const panels = samples.map(
    ({ name, language, code }) =>
      `<pre tabindex="0" data-name="${name}"><code>${highlight(code, language)}</code></pre>`,
  )
  return `<fieldset class="tabs"><legend class="unseen">Language of the sample</legend>${buttons.join('')}${panels.join('')}</fieldset>\n`
}
