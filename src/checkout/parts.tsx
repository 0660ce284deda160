import type { CustomerLanguage } from '../platform/customer-language.ts'
import type { Shop } from './shop.ts'
import { Sign } from './sign.tsx'
import { SENTENCES, textsIn, type Texts, type Title } from './texts.ts'

/** Whose payment this is. A name in letters that run the other way leaves the rest of the line alone. */
export function ShopName({ name }: Pick<Shop, 'name'>) {
  return name === undefined ? null : (
    <p class="shop">
      <bdi>{name}</bdi>
    </p>
  )
}

/** How it stands. Screen readers tell it when it changes: the script replaces what is in a `data-part`. */
export function Standing({
  title,
  language,
  busy,
}: {
  title: Title
  language: CustomerLanguage
  busy?: true
}) {
  const texts = textsIn(language)
  const sentences = SENTENCES[title].map((sentence) => texts[sentence])
  return (
    <div role="status" data-part="standing">
      <Sign of={busy ? 'CONNECTING' : title} />
      <h1>{texts[title]}</h1>
      {sentences.length > 0 && <p>{sentences.join(' ')}</p>}
      {busy && title !== 'CONNECTING' && <p class="soft">{texts.wait}</p>}
    </div>
  )
}

/** The way back to the shop. It is the first one of a page where there is nothing else to do. */
export function WayBack({ shop, texts, first }: { shop: Shop; texts: Texts; first: boolean }) {
  return (
    <a class={first ? 'button' : 'button second'} href={shop.back}>
      {shop.name === undefined ? (
        texts.back
      ) : (
        <>
          {texts.backTo} <bdi>{shop.name}</bdi>
        </>
      )}
    </a>
  )
}
