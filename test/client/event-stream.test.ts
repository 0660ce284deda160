import { expect, it } from 'vitest'
import { type ServerEvent, serverEvents } from '../../src/client/job-changes.ts'
import { inPieces } from '../support/events.ts'

const bytes = new TextEncoder()

async function read(...pieces: Uint8Array[]): Promise<ServerEvent[]> {
  const events: ServerEvent[] = []
  for await (const event of serverEvents(inPieces(...pieces), () => {})) events.push(event)
  return events
}

it('events come whole, wherever the network cuts them: within a line, a character, the end of a line', async () => {
  const all = bytes.encode('event: job\r\nid: 7\r\ndata: é € 👍\r\n\r\ndata: a\ndata: b\n\n: a comment\n\n')
  const wanted = [
    { event: 'job', data: 'é € 👍', id: '7' },
    { event: 'message', data: 'a\nb', id: null },
  ]
  expect(await read(all)).toEqual(wanted)
  expect(await read(...Array.from(all, (byte) => Uint8Array.of(byte)))).toEqual(wanted)
})

it('an event whose end did not come is none', async () => {
  expect(await read(bytes.encode('data: a\n\ndata: b\n'))).toEqual([
    { event: 'message', data: 'a', id: null },
  ])
})
