/**
 * A text from outside as a part of a path or a query. JSON can hold half of a surrogate pair, which no address can: `encodeURIComponent`
 * throws there. https://developer.mozilla.org/en-US/docs/Web/JavaScript/Reference/Global_Objects/encodeURIComponent#exceptions
 */
export function urlPart(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}
