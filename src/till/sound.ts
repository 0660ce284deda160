import { habits } from './device.ts'

/** The notes (Hz) of each sound, and how long (s) a note lasts. */
const SOUNDS = { good: [880, 1318.5], bad: [330, 220] } as const
const LENGTH = 0.18

let audio: AudioContext | null = null

/**
 * Enables sounds from the first touch or key on, because browsers allow none before.
 */
export function soundAfterGesture(): void {
  const open = (): void => {
    audio ??= new AudioContext()
    void audio.suspend()
  }
  for (const gesture of ['pointerup', 'keydown']) addEventListener(gesture, open, { once: true })
}

/** Plays a sound if it may. The word and the colour on the screen say the same. */
export async function play(sound: keyof typeof SOUNDS): Promise<void> {
  if (!audio || habits().isMuted) return
  const playing = audio
  await playing.resume()
  const notes = SOUNDS[sound]
  const [start, end] = [playing.currentTime, playing.currentTime + LENGTH * (notes.length + 1)]
  const volume = playing.createGain()
  volume.connect(playing.destination)
  volume.gain.setValueAtTime(0.4, start)
  volume.gain.exponentialRampToValueAtTime(0.001, end)
  for (const [place, note] of notes.entries()) {
    const tone = playing.createOscillator()
    tone.frequency.value = note
    tone.connect(volume)
    tone.start(start + place * LENGTH)
    tone.stop(end)
    tone.addEventListener('ended', () => void (place === notes.length - 1 && playing.suspend()))
  }
}
