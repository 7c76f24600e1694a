import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

/** What xterm.js does that our content policy refuses, and how it does without: styles in attributes, and by another document than it was given. [SEC3] */
const XTERM_STYLES: readonly (readonly [string, string])[] = [
  ['t.setAttribute("style",`${t.getAttribute("style")||""}${e};`)', 't.style.cssText+=`${e};`'],
  ['this._document??typeof window<"u"?window.document:null', 'this._document'],
]

/** Fails where another version of it does otherwise. */
const xtermWithinPolicy: Plugin = {
  name: 'xterm-within-policy',
  transform(code, id) {
    if (!id.includes('@xterm/xterm/lib/')) return null
    return XTERM_STYLES.reduce((text, [from, to]) => {
      if (!text.includes(from)) throw new Error(`${id} sets styles in another way: look whether our policy takes it`)
      return text.replace(from, () => to)
    }, code)
  },
}

export default defineConfig({
  root: import.meta.dirname,
  // Files name each other by where they stand; the server names them in the page, under whatever path it has.
  base: './',
  plugins: [react(), xtermWithinPolicy],
  resolve: { conditions: ['@holdfast/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The page's content policy takes files of its own only: nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rolldownOptions: {
      output: {
        // Said in the file that holds zod: it is heard before any other file makes a schema.
        codeSplitting: { groups: [{ name: 'zod', test: /node_modules[\\/]zod[\\/]|schemas-without-eval/ }] },
      },
    },
  },
})
