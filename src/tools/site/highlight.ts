import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import http from 'highlight.js/lib/languages/http'
import json from 'highlight.js/lib/languages/json'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import typescript from 'highlight.js/lib/languages/typescript'

const LANGUAGES = { sh: bash, http, json, php, py: python, ts: typescript, js: typescript }
for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)

/** Code as HTML, escaped, with its words marked by what they are; in an unknown language it is only escaped. */
export function highlight(code: string, language: string): string {
  return Object.hasOwn(LANGUAGES, language) ? hljs.highlight(code, { language }).value : escapeHtml(code)
}

/** Text as HTML shows it. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
