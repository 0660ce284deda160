/** Texts come from outside, and there is no end of them: past so many all are forgotten. */
const MOST = 1000

/** A pure function of a text that takes long, and is asked for the same few texts again and again: it remembers its answers. */
export function remembered<Answer>(answerTo: (text: string) => Answer): (text: string) => Answer {
  const answers = new Map<string, { answer: Answer }>()
  return (text) => {
    const known = answers.get(text)
    if (known) return known.answer
    if (answers.size >= MOST) answers.clear()
    const answer = answerTo(text)
    answers.set(text, { answer })
    return answer
  }
}
