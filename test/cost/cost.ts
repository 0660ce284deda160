import { startStage, totalOf } from './scenes.ts'
const stage = await startStage()
try {
  for (const ending of ['paid', 'abandoned'] as const) {
    const { scenes, bytes } = await stage.play(ending)
    for (const s of scenes) console.log(ending, s.name, s.counts, s.notes)
    console.log(ending, totalOf(scenes), bytes)
  }
} finally {
  await stage.stop()
}
