import { render } from 'preact'
import { Till } from './till/till.tsx'

/** The till of `/till`. */
const place = document.getElementById('till')
if (place) {
  place.replaceChildren()
  render(<Till />, place)
}
