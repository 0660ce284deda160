const KEPT_AS = 'payment-hub.docs.language'

/** Shows all samples of a page in the language that was chosen last, here or on another page. */
export function keepLanguage(): void {
  const choices = [...document.querySelectorAll<HTMLInputElement>('.tabs > input')]
  const choose = (language: string): void => {
    for (const choice of choices) if (choice.value === language) choice.checked = true
  }
  const kept = read()
  if (kept !== null) choose(kept)
  for (const choice of choices) {
    choice.addEventListener('change', () => {
      // The samples above change their height: what is looked at stays where it is.
      const before = choice.getBoundingClientRect().top
      choose(choice.value)
      scrollBy(0, choice.getBoundingClientRect().top - before)
      write(choice.value)
    })
  }
}

/** A browser may refuse a page its storage: then the choice holds for the page alone. */
function read(): string | null {
  try {
    return localStorage.getItem(KEPT_AS)
  } catch {
    return null
  }
}

function write(language: string): void {
  try {
    localStorage.setItem(KEPT_AS, language)
  } catch {
    // It holds for this page.
  }
}
