import { readFile } from 'node:fs/promises'
import { PRICES_READ_ON, PER_MILLION, OBJECT_DURATION, STORAGE } from './prices.ts'
import { type Played, playAlone, totalOf } from './scenes.ts'
void readFile
console.log(PRICES_READ_ON, PER_MILLION, OBJECT_DURATION, STORAGE)
for (const ending of ['paid', 'abandoned'] as const) {
  const { scenes, bytes }: Played = await playAlone(ending)
  for (const s of scenes) console.log(ending, s.name, s.counts, s.notes)
  console.log(ending, totalOf(scenes), bytes)
}
