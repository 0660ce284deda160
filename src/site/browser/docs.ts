import { addCopyButtons } from './docs/copy-buttons.ts'
import { keepLanguage } from './docs/language.ts'

/** Makes the pages of the documents easier to use. They can all be read without it. */
document.documentElement.classList.add('has-script')
addCopyButtons()
keepLanguage()
