import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { detectCommand, factsOf } from '../src/servers/detect-command.ts'
import { plainLog, printedPorts } from '../src/servers/plain-log.ts'
import { folderWith } from './support/place.ts'

const manifest = (more: object): string => JSON.stringify({ name: 'x', ...more })

const PLACES: readonly (readonly [string, Readonly<Record<string, string>>, object])[] = [
  [
    'vite, by its script',
    { 'package.json': manifest({ scripts: { dev: 'vite', build: 'vite build' } }) },
    { line: 'npm run dev' },
  ],
  [
    'next, by yarn',
    { 'package.json': manifest({ scripts: { dev: 'next dev', start: 'next start' } }), 'yarn.lock': '' },
    { line: 'yarn run dev' },
  ],
  [
    'astro, by pnpm',
    { 'package.json': manifest({ scripts: { start: 'astro dev' } }), 'pnpm-lock.yaml': '' },
    { line: 'pnpm run start' },
  ],
  [
    'bun, by its field',
    { 'package.json': manifest({ packageManager: 'bun@1.3.0', scripts: { serve: 'x' } }) },
    { line: 'bun run serve' },
  ],
  [
    'vite, without a script',
    { 'package.json': manifest({ devDependencies: { vite: '8' } }) },
    { line: 'npx vite', isInstalled: false },
  ],
  [
    'a repository of packages',
    {
      'package.json': manifest({ workspaces: ['packages/*', 'apps/*'] }),
      'packages/a/package.json': manifest({}),
      'apps/web/package.json': manifest({ scripts: { dev: 'vite' } }),
    },
    { line: 'npm run dev', folder: 'apps/web' },
  ],
  [
    'packages of pnpm',
    {
      'package.json': manifest({}),
      'pnpm-workspace.yaml': "packages:\n  - 'web'\n",
      'web/package.json': manifest({ scripts: { dev: 'vite' } }),
      'pnpm-lock.yaml': '',
    },
    { line: 'pnpm run dev', folder: 'web' },
  ],
  ['django', { 'manage.py': '' }, { line: 'python3 manage.py runserver' }],
  ['a page', { 'index.html': '' }, { type: 'folder', folder: '' }],
  ['a page that was built', { 'dist/index.html': '' }, { type: 'folder', folder: 'dist' }],
  ['nothing', { 'readme.md': '', 'package.json': '{ "scripts": 5, ' }, { type: 'nothing' }],
]

for (const [name, files, wanted] of PLACES) {
  test(`[PREV2] finds ${name}`, async () => {
    const workspace = folderWith({})
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace.rootPath, path)), { recursive: true })
      writeFileSync(join(workspace.rootPath, path), text)
    }
    expect(await detectCommand(factsOf(workspace))).toMatchObject(wanted)
  })
}

test('[PREV2] reads what a program printed for a terminal, colours within addresses too', () => {
  const printed =
    '\u001b[32m➜\u001b[39m  Local: http://localhost:\u001b[1m5179\u001b[22m/\r\nloading 1%\rloading 99%\n\u001b]0;title\u0007http://[::1]:4000 and https://127.0.0.1:5179'
  expect(plainLog(printed)).toBe(
    '➜  Local: http://localhost:5179/\nloading 99%\nhttp://[::1]:4000 and https://127.0.0.1:5179',
  )
  expect(printedPorts(plainLog(printed))).toEqual([5179, 4000])
})
