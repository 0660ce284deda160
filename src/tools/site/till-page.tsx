import { SiteHeader, htmlPage } from './html-page.tsx'
import type { SiteFiles } from './write-folder.ts'

/**
 * `/till`: a point of sale in the browser. The page is the frame; its script
 * (src/site/browser/till.tsx) is the till.
 */
export function tillPage(): Promise<SiteFiles> {
  return Promise.resolve(
    new Map([
      [
        'till.html',
        htmlPage({
          title: 'Till – Payment Hub',
          description: 'A point of sale in the browser, to play a whole payment with a test key.',
          scripts: ['till'],
          styles: ['till'],
          children: (
            <>
              <SiteHeader here="/till" />
              <main class="till" id="content">
                <h1>Till</h1>
                <p class="lead">
                  A point of sale in this tab, for test keys: enter an order, pay it with your phone or in
                  another tab, and watch what your own program would see.
                </p>
                <div id="till">
                  <noscript>
                    <p>
                      The till needs JavaScript. The <a href="/docs/guide">guide</a> does the same with curl.
                    </p>
                  </noscript>
                </div>
              </main>
            </>
          ),
        }),
      ],
    ]),
  )
}
