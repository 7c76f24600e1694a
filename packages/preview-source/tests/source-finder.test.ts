import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createSourceFinder } from '@holdfast/preview-source'
import { afterEach, beforeEach, expect, it } from 'vitest'

const AT = 'http://shop.localhost:4748'
let base: string
let root: string

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'holdfast-finder-')))
  root = join(base, 'shop')
  for (const file of ['shop/src/cart.ts', 'shop/node_modules/lib/index.js', 'secret.ts']) {
    mkdirSync(dirname(join(base, file)), { recursive: true })
    writeFileSync(join(base, file), 'one\ntwo\n')
  }
  symlinkSync(base, join(root, 'out'))
})
afterEach(() => rmSync(base, { recursive: true }))

/** A module whose first line comes from line 5 of a source that is named like this. */
function moduleOf(source: string): string {
  const map = JSON.stringify({ version: 3, sources: [source], names: [], mappings: 'AAIA' })
  return `throw 1\n//# sourceMappingURL=data:application/json;base64,${Buffer.from(map).toString('base64')}\n`
}

function find(stack: string, modules: Readonly<Record<string, string>> | null) {
  const read = modules === null ? null : async (path: string) => modules[path] ?? null
  return createSourceFinder({ root, folder: '', read }).ofStack(stack, new AbortController().signal)
}

it('[PREV5] a place of a module is led back through its source map to the file and line that was written', async () => {
  const stack = `Error: no\n    at total (${AT}/src/cart.ts?t=1:1:1)`
  expect(await find(stack, { '/src/cart.ts?t=1': moduleOf('cart.ts') })).toEqual({
    file: 'src/cart.ts',
    line: 5,
    column: 0,
  })
})

it('[PREV5] the first place inside of the workspace counts: dependencies and tools of the server are passed over', async () => {
  const stack = [
    `    at wrap (${AT}/node_modules/lib/index.js:1:1)`,
    `    at client (${AT}/@vite/client:1:1)`,
    `    at lib (file://${root}/node_modules/lib/index.js:1:1)`,
    `    at total (${AT}/src/cart.ts:2:3)`,
  ].join('\n')
  expect(await find(stack, null)).toEqual({ file: 'src/cart.ts', line: 2, column: 2 })
})

it.each([
  ['a source map', `    at a (${AT}/src/cart.ts:1:1)`, '../../secret.ts'],
  ['a source map with a whole path', `    at a (${AT}/src/cart.ts:1:1)`, 'file:///etc/passwd'],
  ['a source map through a link', `    at a (${AT}/src/cart.ts:1:1)`, '../out/secret.ts'],
])('[PREV5] %s leads to no file outside of the workspace', async (_, stack, source) => {
  expect(await find(stack, { '/src/cart.ts': moduleOf(source) })).toBeNull()
})

it('[PREV5] an address, or a file that a page names, leads to no file outside of the workspace', async () => {
  for (const path of [
    '/%2e%2e/secret.ts',
    '/../secret.ts',
    `/@fs${base}/secret.ts`,
    '/out/secret.ts',
    '/%ff',
    '/etc/passwd',
  ])
    expect(await find(`    at a (${AT}${path}:1:1)`, null), path).toBeNull()
  const { ofFile } = createSourceFinder({ root, folder: '', read: null })
  for (const file of ['../secret.ts', join(base, 'secret.ts'), 'out/secret.ts', '/etc/passwd', '', '\0'])
    expect(await ofFile({ file, line: 1, column: 0 }), file).toBeNull()
  expect(await ofFile({ file: join(root, 'src/cart.ts'), line: 2, column: 0 })).toMatchObject({ file: 'src/cart.ts' })
})
