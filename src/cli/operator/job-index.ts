import * as v from 'valibot'
import { type Values, command } from './command.ts'
import { CommandError, type OperatorApi } from './operator-api.ts'

const Days = v.object({ days: v.array(v.string()) })
const Page = v.object({ jobs: v.number(), wrong: v.array(v.string()), next: v.nullable(v.string()) })
const Outcome = v.object({ jobs: v.number(), wrong: v.array(v.string()) })

/** Walks over the jobs, day by day and page by page, and says on standard error how far it is. */
const walk = async (
  api: OperatorApi,
  { from }: Values,
  method: 'GET' | 'POST',
  action: 'verify' | 'rebuild',
): Promise<v.InferOutput<typeof Outcome>> => {
  if (from !== undefined && !/^\d{4}-\d\d-\d\d$/.test(String(from))) {
    throw new CommandError(`${String(from)} is no day: write 2026-01-31`)
  }
  const { days } = v.parse(Days, await api('GET', '/index/days'))
  const outcome: v.InferOutput<typeof Outcome> = { jobs: 0, wrong: [] }
  for (const day of days.filter((candidate) => from === undefined || candidate >= String(from))) {
    for (let after: string | null = ''; after !== null;) {
      const query: string = after === '' ? '' : `?${new URLSearchParams({ after })}`
      const page = v.parse(Page, await api(method, `/index/${day}/${action}${query}`))
      outcome.jobs += page.jobs
      outcome.wrong.push(...page.wrong)
      after = page.next
      console.error(`${day}: ${outcome.jobs} jobs so far (if this is cut off, go on with --from ${day})`)
    }
  }
  return outcome
}

export const indexRebuild = command({
  usage: 'index rebuild [--from DAY]',
  does: 'writes the index anew from the jobs themselves',
  options: { from: { type: 'string' } },
  answer: Outcome,
  run: (api, values) => walk(api, values, 'POST', 'rebuild'),
  show: ({ jobs }) => `The index has the rows of ${jobs} jobs as they stand.`,
})

export const indexVerify = command({
  usage: 'index verify [--from DAY]',
  does: 'compares the index with the jobs themselves',
  options: { from: { type: 'string' } },
  answer: Outcome,
  run: (api, values) => walk(api, values, 'GET', 'verify'),
  show: ({ jobs, wrong }) =>
    wrong.length === 0
      ? `The index is right for all ${jobs} jobs.`
      : `The index is wrong for ${wrong.length} of ${jobs} jobs. Run index rebuild.\n${wrong.join('\n')}`,
})

export const retentionShow = command({
  usage: 'retention show',
  does: 'shows how many jobs were forgotten after their time',
  options: {},
  answer: v.object({
    days: v.number(),
    forgotten: v.array(v.object({ day: v.string(), objects: v.number(), rows: v.number() })),
  }),
  run: (api) => api('GET', '/retention'),
  show: ({ days, forgotten }) =>
    [
      `Jobs are forgotten ${days} days after their last change.`,
      ...forgotten.map(({ day, objects, rows }) => `${day}: ${objects} jobs, ${rows} rows of the index`),
    ].join('\n'),
})
