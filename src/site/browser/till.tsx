import { render } from 'preact'
import { Till } from './till/till.tsx'

const place = document.getElementById('till')
if (place) {
  place.replaceChildren()
  render(<Till />, place)
}
