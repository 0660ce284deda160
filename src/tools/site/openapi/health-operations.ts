import type { Operation } from './operation.ts'

/** What monitors ask. */
export const HEALTH_OPERATIONS: readonly Operation[] = [
  {
    id: 'showHealth',
    method: 'get',
    path: '/healthz',
    tag: 'Health',
    summary: 'See whether the hub answers',
    description:
      'It asks for no token, and reads nothing that is stored: so it is quick, and may be asked often.',
    credentials: [],
    answer: { status: 200, description: 'The hub answers.', schema: 'Health' },
    problems: [],
  },
]
