import { expect, test } from 'vitest'
import { pageFiles } from './support/page-files.ts'
import type { PageFile } from './support/page-words.ts'

/** The tokens that styles name and that neither a style nor a script sets, each with its file. */
function unknownTokens(styles: readonly PageFile[], scripts: readonly PageFile[]): string[] {
  const set = new Set([
    ...styles.flatMap(({ text }) => [...text.matchAll(/(--[\w-]+)\s*:/g)].map(([, name = '']) => name)),
    ...scripts.flatMap(({ text }) => [...text.matchAll(/['"](--[\w-]+)['"]/g)].map(([, name = '']) => name)),
  ])
  return styles.flatMap(({ path, text }) =>
    [...text.matchAll(/var\((--[\w-]+)\)/g)].flatMap(([, name = '']) => (set.has(name) ? [] : [`${path}: ${name}`])),
  )
}

test('[UI4] every token that a style names is there, so that each theme has a colour for it', () => {
  const styles = pageFiles('styles/*.css')
  expect(styles.length).toBeGreaterThan(15)
  expect(unknownTokens(styles, pageFiles('**/*.{ts,tsx}'))).toEqual([])
  const missing = { path: 'a.css', text: 'p { color: var(--ink); }' }
  expect(unknownTokens([missing], [])).toEqual(['a.css: --ink'])
})
