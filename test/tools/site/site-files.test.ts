import { expect, it } from 'vitest'
import { siteFiles } from '../../../src/tools/site/site-files.ts'

it('no page runs script or style that stands in it, which the policy would refuse', async () => {
  const pages = [...(await siteFiles())].filter(([path]) => path.endsWith('.html'))
  expect(pages.map(([path]) => path).toSorted()).toEqual(['404.html', 'index.html', 'till.html'])
  for (const [path, html] of pages)
    expect(html, path).not.toMatch(/<style|<script(?! type="module" src="\/assets\/)|\sstyle=|\son[a-z]+=/)
})
