import { expect, it } from 'vitest'
import { pages } from '../../src/build/pages.ts'

it.each([...pages()].filter(([path]) => path.endsWith('.html')))(
  '%s runs no script or style that stands in it, which the policy would refuse',
  (_, html) => {
    expect(html).not.toMatch(/<style|<script(?! type="module" src="\/assets\/)|\sstyle=|\son[a-z]+=/)
  },
)
