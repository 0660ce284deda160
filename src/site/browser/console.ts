import { clickedDialog, dragRoutes } from './console/dialog.ts'
import { copyButtons, followLive, keys, localTimes, showSection } from './console/live-parts.ts'

/** The console's script. Each page works without it. */

localTimes(document)
keys()
copyButtons()
dragRoutes()
followLive()
document.addEventListener('click', clickedDialog)
showSection()
// Disables the buttons of a form that is being sent, because sending twice may change twice.
document.addEventListener('submit', ({ target }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'post') return
  setTimeout(() => target.querySelectorAll('button').forEach((button) => (button.disabled = true)))
})
// A page that the browser kept would show disabled buttons, so it is loaded again.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
