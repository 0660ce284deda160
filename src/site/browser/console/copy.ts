/** Buttons that copy what is shown this once. Without script there are none: the text can be selected. */
export function copyButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-copy]')) {
    const text = button.parentElement?.querySelector('[data-copied]')?.textContent ?? ''
    button.hidden = false
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(text).then(
        () => tell(button, 'Copied'),
        () => tell(button, 'Select it and copy'),
      )
    })
  }
}

function tell(button: HTMLElement, text: string): void {
  button.textContent = text
  button.setAttribute('aria-live', 'polite')
}
