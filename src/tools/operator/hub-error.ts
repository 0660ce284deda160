import type { Problem } from '../../contract/problems.ts'

/** What the hub, or the way to it, refused. Its message is for the operator, `problem` is what the hub answered. */
export class HubError extends Error {
  readonly problem: Problem | null

  constructor(message: string, problem: Problem | null = null) {
    super(message)
    this.problem = problem
  }
}
