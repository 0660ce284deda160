import { problem } from '../platform/http/refusal.ts'
import type { Entrance } from '../platform/http/routes.ts'
import { unexpected } from '../platform/http/unexpected.ts'
import { loadConsole } from '../modules/load.ts'

/**
 * What operators use in a browser. Its pages ask the operator API, as any client does: `operatorApi` decides who may do what. They are a
 * module of their own, which `npm run build:site` makes and the runtime loads when somebody first asks for a page: payments need none
 * of it.
 */
export function consoleOf(operatorApi: Entrance): Entrance {
  return async (request, env) => {
    try {
      const { serveConsole } = await loadConsole()
      return await serveConsole(request, (asked) => operatorApi(asked, env), env.SEALING_KEY)
    } catch (error) {
      const answer = unexpected(error)
      return answer.ok ? answer.value : problem(answer.error)
    }
  }
}
