import { HUB } from '../../site/placeholder.ts'

/** How the documents name the hub, so that they can be read elsewhere too. */
const EXAMPLE_HUB = 'https://hub.example.com'

/** A text of the documents as the hub's own pages show it: with the hub's own address. */
export function atThisHub(text: string): string {
  return text.replaceAll(EXAMPLE_HUB, HUB)
}
