import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { ROOT } from './support/root.ts'

const DIST = join(ROOT, 'apps', 'web', 'dist')

/** What the page loads before anything can be done, in bytes as they are sent. */
const BUDGET_BYTES = 300_000

test('[UI6] the first script is at most 300 kB compressed, and what is rarely needed is not in it', async () => {
  const page = await readFile(join(DIST, 'index.html'), 'utf8')
  const scripts = [...page.matchAll(/(?:src|href)="(?:\.?\/)?([^"]+\.js)"/g)].map(([, path = '']) => path)
  expect(scripts).toContain('first-paint.js')
  const sources = await Promise.all(scripts.map((path) => readFile(join(DIST, path))))
  const bytes = sources.reduce((sum, source) => sum + gzipSync(source).length, 0)
  expect(bytes).toBeLessThan(BUDGET_BYTES)
  const first = sources.map((source) => source.toString('utf8')).join('')
  expect(first).not.toContain('KaTeX')
  expect(first).not.toContain('hljs-')
  expect(page).not.toMatch(/https?:\/\//)
}, 120_000)
