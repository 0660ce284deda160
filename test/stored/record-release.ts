import { afterEach, expect, it, vi } from 'vitest'
import { VERSION } from '../../src/platform/version.ts'
import { dumpState } from './dump-state.ts'
import { play } from './play/play.ts'
import { type SentMessage, playedWorld } from './play/world.ts'
import { unplayed } from './unplayed.ts'

afterEach(() => vi.useRealTimers())

/** The newest message of each kind: of a queue, and with certain members. */
function oneOfEachKind(sent: readonly SentMessage[]): SentMessage[] {
  return [...new Map(sent.map((message) => [message.queue + membersOf(message.body), message])).values()]
}

function membersOf(value: unknown): string {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? `{${Object.entries(value)
        .map(([name, member]) => name + membersOf(member))
        .join()}}`
    : ''
}

/** `npm run record:release`: writes down in test/fixtures what this release leaves behind. */
it(`release ${VERSION} leaves behind what it can store`, { timeout: 300_000 }, async () => {
  const world = playedWorld()
  const played = await play(world)
  const stored = await dumpState(Object.values(played.jobs))
  world.stop()
  expect(unplayed(stored)).toEqual([])
  const about = `State that release ${VERSION} wrote, as KV, D1 and the objects held it at savedAt (ms), and messages that it sent; under the secrets of test/projects.ts.`
  const state = { about, ...played, ...stored, messages: oneOfEachKind(world.sent) }
  await expect(`${JSON.stringify(state, null, 2)}\n`).toMatchFileSnapshot(
    `../fixtures/release-${VERSION}.json`,
  )
})
