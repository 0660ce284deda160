/**
 * The characters that turn the text around them: marks, embeddings, overrides and isolates (Unicode Bidirectional Algorithm, UAX #9,
 * section 2). What letters of both directions need is `<bdi>`.
 */
const TURNING = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const VISIBLE = /[^\p{C}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u

/** A text of a point of sale as pages show it: no one can write it so that it reads as another. Empty where nothing of it can be seen. */
export function shownText(text: string): string {
  const shown = text.replaceAll(TURNING, '').trim()
  return VISIBLE.test(shown) ? shown : ''
}
