const LINKS = [
  ['/docs', 'Docs'],
  ['/docs/reference', 'Reference'],
  ['/till', 'Till'],
] as const

/** What stands above every page: what this is, and where else one can go. */
export function SiteHeader({ here }: { here: string }) {
  return (
    <header class="site">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <a class="brand" href="/">
        <img src="/favicon.svg" alt="" width="24" height="24" />
        Payment Hub
      </a>
      <nav aria-label="Site">
        {LINKS.map(([address, name]) => (
          <a href={address} {...(address === here ? { 'aria-current': 'true' as const } : {})}>
            {name}
          </a>
        ))}
      </nav>
    </header>
  )
}
