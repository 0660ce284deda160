import { render } from 'preact'
import { Till } from './till/till.tsx'

/**
 * The till of `/till`. What it knows is in this tab's memory alone: closing or reloading the page
 * forgets all of it.
 */
const place = document.getElementById('till')
if (place) {
  place.replaceChildren()
  render(<Till />, place)
}
