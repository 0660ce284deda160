import { problem } from '../platform/http/refusal.ts'
import { type Entrance, unexpected } from '../platform/http/routes.ts'
import { serveConsole } from './serve.tsx'

/**
 * Serves the operators' pages. They call `operatorApi` as any client does, so that it alone
 * decides who may do what.
 */
export function consoleOf(operatorApi: Entrance): Entrance {
  return async (request, env) => {
    try {
      return await serveConsole(request, (asked) => operatorApi(asked, env), env.SEALING_KEY)
    } catch (error) {
      const answer = unexpected(error)
      return answer.ok ? answer.value : problem(answer.error)
    }
  }
}
