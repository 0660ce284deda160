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
// A change that is sent twice may be made twice.
document.addEventListener('submit', ({ target }) => {
  if (!(target instanceof HTMLFormElement) || target.method !== 'post') return
  setTimeout(() => target.querySelectorAll('button').forEach((button) => (button.disabled = true)))
})
// A page that the browser kept, and shows again, has its buttons back.
addEventListener('pageshow', ({ persisted }) => {
  if (persisted) location.reload()
})
