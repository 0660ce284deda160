import { type Theme, inBrowser } from 'vitepress'
import DefaultTheme from 'vitepress/theme-without-fonts'
import { keepLanguage } from './keep-language.ts'
// oxlint-disable-next-line import/no-unassigned-import -- styles have no name
import './style.css'

export default {
  extends: DefaultTheme,
  setup() {
    if (inBrowser) keepLanguage()
  },
} satisfies Theme
