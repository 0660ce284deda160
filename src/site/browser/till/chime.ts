/** The two notes (Hz) that say "paid", and how long (s) each sounds. */
const NOTES = [880, 1318.5]
const LENGTH = 0.18

/**
 * Lets the till be heard. A browser that allows no sound yet stays silent: the word and the colour
 * say the same.
 */
export function chime(): void {
  const audio = new AudioContext()
  const end = audio.currentTime + LENGTH * (NOTES.length + 1)
  const volume = audio.createGain()
  volume.connect(audio.destination)
  volume.gain.setValueAtTime(0.4, audio.currentTime)
  volume.gain.exponentialRampToValueAtTime(0.001, end)
  NOTES.forEach((note, place) => {
    const tone = audio.createOscillator()
    tone.frequency.value = note
    tone.connect(volume)
    tone.start(audio.currentTime + place * LENGTH)
    tone.stop(end)
  })
  setTimeout(() => void audio.close(), 2000)
}
