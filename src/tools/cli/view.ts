import { styleText } from 'node:util'
import { INSTANTS } from '../../contract/why.ts'
import { table } from '../table.ts'

/** How answers are shown at the operator's terminal. */
export type View = {
  /** A time as people read it, in their zone or in UTC; an empty text for none. */
  time: (iso: string | null | undefined) => string
  /** A text whose times, in ISO 8601 and UTC to the second, are shown so. */
  times: (text: string) => string
  /** A table that fits the terminal. */
  table: (head: readonly string[], rows: readonly (readonly string[])[]) => string
  /** A table of some rows, each column by its title; or a sentence where there are none. */
  list: <Row>(none: string, rows: readonly Row[], columns: Columns<Row>) => string
  /** A word such as SUCCESS in its colour, where the terminal has colours. */
  word: (word: string) => string
}

type Columns<Row> = Readonly<Record<string, (row: Row) => string>>

const COLOURS = {
  green: ['SUCCESS', 'delivered', 'working', 'done', 'well'],
  yellow: ['PENDING', 'due', 'slow', 'impaired', 'unavailable', 'unknown', 'begun'],
  red: ['FAILURE', 'given up', 'failing', 'refused', 'failed', 'silent'],
  dim: ['CANCELLED', 'EXPIRED'],
} as const
const COLOUR_OF = new Map(
  Object.entries(COLOURS).flatMap(([colour, words]) => words.map((word) => [word as string, colour])),
)

/** The view of standard output: plain and as wide as it comes where that is no terminal. */
export function viewOf(stream: NodeJS.WriteStream, utc: boolean): View {
  const word = (text: string): string => {
    const colour = COLOUR_OF.get(text.trim())
    return isColour(colour) ? styleText(colour, text, { stream }) : text
  }
  const fitted: View['table'] = (head, rows) =>
    table(head, rows, { ...(stream.isTTY ? { width: stream.columns } : {}), paint: word })
  return {
    word,
    time: (iso) => (iso ? timeText(new Date(iso), utc) : ''),
    times: (text) => text.replaceAll(INSTANTS, (iso) => timeText(new Date(iso), utc)),
    table: fitted,
    list: (none, rows, columns) =>
      rows.length === 0
        ? none
        : fitted(
            Object.keys(columns),
            rows.map((row) => Object.values(columns).map((cell) => cell(row))),
          ),
  }
}

function isColour(name: string | undefined): name is keyof typeof COLOURS {
  return name !== undefined && Object.hasOwn(COLOURS, name)
}

function timeText(at: Date, utc: boolean): string {
  if (utc) return `${at.toISOString().slice(0, 19).replace('T', ' ')}Z`
  const two = (number: number) => String(number).padStart(2, '0')
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())}`
}

/**
 * Control characters and those that turn the text around them: a shop could write to the terminal
 * with them.
 */
const HOSTILE = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu

/** An answer whose texts can be shown at a terminal: what would act on it is replaced by a mark. */
export function printable<Answer>(answer: Answer): Answer {
  const shown: Answer = JSON.parse(JSON.stringify(answer), (_, value: unknown) =>
    typeof value === 'string' ? printableText(value) : value,
  )
  return shown
}

export function printableText(text: string): string {
  return text.replaceAll(HOSTILE, '\uFFFD')
}
