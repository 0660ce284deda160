/** Gives each block of code a button that copies it. Only where the browser lets a page do that: over https, and on localhost. */
export function addCopyButtons(): void {
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (!clipboard) return
  for (const code of document.querySelectorAll('article pre > code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'copy'
    button.textContent = 'Copy'
    button.addEventListener('click', () => {
      void clipboard.writeText(code.textContent ?? '').then(
        () => say(button, 'Copied'),
        () => say(button, 'Not copied'),
      )
    })
    code.parentElement?.append(button)
  }
}

function say(button: HTMLButtonElement, text: string): void {
  button.textContent = text
  setTimeout(() => (button.textContent = 'Copy'), 2000)
}
