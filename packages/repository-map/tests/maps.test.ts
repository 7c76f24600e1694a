import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { systemClock } from '@holdfast/engine/system'
import { createRepositoryMaps, type MapOrder, type RepositoryMaps } from '@holdfast/repository-map'
import { afterEach, beforeEach, expect, it } from 'vitest'

let base = ''
let root = ''
let maps: RepositoryMaps

const tokensOf = (text: string): number => Math.ceil(text.length / 3.5)

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'holdfast-map-')))
  root = join(base, 'folder')
  mkdirSync(root)
  maps = open()
})

afterEach(async () => {
  await maps.close()
  await rm(base, { recursive: true })
})

function open(): RepositoryMaps {
  return createRepositoryMaps({ cacheFolder: join(base, 'cache'), git: 'git', clock: systemClock })
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}

async function draw(wish: Partial<MapOrder> = {}) {
  const order = { rootPath: root, closedPaths: [], hardLinks: 'use', mayShow: async () => true, focus: '' } as const
  const map = await maps.draw(
    { ...order, budgetTokens: 1_000, tokensOf, page: 1, ...wish },
    AbortSignal.timeout(30_000),
  )
  if (map === null) throw new Error('No map was drawn')
  return map
}

const git = (...args: string[]) =>
  execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args])

/** Many files, each with a few definitions, of which the later ones use earlier ones. */
function many(count: number): Record<string, string> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, index) => {
      const used = Math.floor(index / 7)
      const text = `import { makeThing${used} } from './thing-${used}.ts'\nexport function makeThing${index}() { return makeThing${used}() }\nexport class Holder${index} { turn${index}() {} }\n`
      return [`src/thing-${index}.ts`, text]
    }),
  )
}

it('[MAP1] keeps within every budget, uses at least 85 % of it, and is the same bytes for the same tree', async () => {
  write(many(150))
  for (const budgetTokens of [100, 300, 1_000, 2_500]) {
    const { text, tokens } = await draw({ budgetTokens })
    expect(tokens).toBe(tokensOf(text))
    expect(tokens).toBeLessThanOrEqual(budgetTokens)
    expect(tokens).toBeGreaterThanOrEqual(0.85 * budgetTokens)
  }
  const first = await draw()
  await maps.close()
  await rm(join(base, 'cache'), { recursive: true, force: true })
  maps = open()
  expect((await draw()).text).toBe(first.text)
  expect((await draw({ budgetTokens: 20 })).tokens).toBeLessThanOrEqual(20)
}, 30_000)

it('[MAP1] goes on with another page behind the one before, until all was shown once', async () => {
  write(many(30))
  const seen: string[] = []
  for (let page = 1; ; page++) {
    const { text, hasMore } = await draw({ page, budgetTokens: 400 })
    seen.push(
      ...text
        .split('\n')
        .slice(1)
        .filter((line) => line.startsWith('  ')),
    )
    if (!hasMore) break
    expect(page).toBeLessThan(30)
  }
  expect(new Set(seen).size).toBe(seen.length)
  expect(seen.filter((line) => line.includes('function makeThing'))).toHaveLength(30)
}, 30_000)

it('[MAP2] shows what git would keep, and neither secrets, what is ignored, other repositories, nor what lies outside', async () => {
  const shown = { 'kept.ts': 'export const kept = 1', 'sub/new.ts': 'export const fresh = 1' }
  const hidden = {
    '.env': 'KEY=1',
    '.env.local': 'KEY=1',
    id_rsa: 'key',
    'server.pem': 'key',
    'ignored/a.ts': 'export const ignored = 1',
    'sub/no.log': 'x',
    'node_modules/a/index.js': 'exports.a = () => 1',
    'inner/.git/HEAD': 'ref: refs/heads/main',
    'inner/b.ts': 'export const inner = 1',
  }
  write({ ...shown, ...hidden, '.gitignore': 'ignored/\n', 'sub/.gitignore': '*.log\n' })
  writeFileSync(join(base, 'outside.ts'), 'export const outside = 1')
  symlinkSync(join(base, 'outside.ts'), join(root, 'link.ts'))
  symlinkSync(base, join(root, 'linked'))
  execFileSync('mkfifo', [join(root, 'pipe.ts')])
  const paths = async () => (await draw()).topPaths.toSorted()
  expect(await paths()).toEqual(['.gitignore', 'kept.ts', 'sub/.gitignore', 'sub/new.ts'])
  await rm(join(root, 'inner'), { recursive: true })
  git('init', '-q')
  git('add', 'kept.ts')
  expect(await paths()).toEqual(['.gitignore', 'kept.ts', 'sub/.gitignore', 'sub/new.ts'])
  expect((await draw()).text).not.toMatch(/outside|ignored|KEY/)
})

it('[MAP2] runs nothing that the repository names, and leaves its index as it is', async () => {
  write({ 'a.ts': 'export const a = 1' })
  git('init', '-q')
  git('add', '.')
  const program = join(base, 'program.sh')
  writeFileSync(program, `#!/bin/sh\ntouch ${join(base, 'ran')}\n`)
  chmodSync(program, 0o755)
  for (const key of [
    'core.fsmonitor',
    'core.sshCommand',
    'core.pager',
    'filter.x.clean',
    'diff.external',
    'core.editor',
  ])
    git('config', key, program)
  writeFileSync(join(root, '.gitattributes'), '* filter=x\n')
  expect((await draw()).topPaths).toContain('a.ts')
  expect(existsSync(join(base, 'ran'))).toBe(false)
})

it('[MAP2, SEC14] shows nothing of what is closed, nor what may not be shown to whoever asks', async () => {
  write({ 'a.ts': 'export const a = 1', 'closed/b.ts': 'export const b = 1', 'brought.ts': 'export const brought = 1' })
  const map = await draw({ closedPaths: [join(root, 'closed')], mayShow: async (path) => path !== 'brought.ts' })
  expect(map.topPaths).toEqual(['a.ts'])
  expect(map.text).not.toMatch(/closed|brought/)
})

it('[MAP5] parses after an edit what has changed, after a restart nothing, and a damaged cache is as good as none', async () => {
  write(many(40))
  execFileSync('find', [root, '-name', '*.ts', '-exec', 'touch', '-d', '2020-01-01', '{}', '+'])
  await new Promise((resolve) => setTimeout(resolve, 2_100))
  expect((await draw()).parsedCount).toBe(40)
  expect((await draw()).parsedCount).toBe(0)
  write({ 'src/thing-3.ts': 'export function another() {}\n' })
  const edited = await draw({ focus: 'another' })
  expect(edited.parsedCount).toBe(1)
  expect(edited.text).toContain('another')
  await maps.close()
  maps = open()
  const kept = await draw({ focus: 'another' })
  expect(kept.parsedCount).toBe(0)
  expect(kept.text).toBe(edited.text)
  await maps.close()
  for (const name of readdirSync(join(base, 'cache')))
    writeFileSync(join(base, 'cache', name), 'holdfast-map-1 rubbish')
  maps = open()
  const anew = await draw({ focus: 'another' })
  expect(anew.parsedCount).toBe(40)
  expect(anew.text).toBe(edited.text)
}, 40_000)

it('[MAP6] what a text names rises: a path, a name, the words of a name', async () => {
  write(many(60))
  write({ 'src/price/round-money.ts': 'export function roundMoney() {}\n', 'docs/guide.md': '# Guide\n' })
  expect((await draw()).topPaths[0]).not.toBe('src/price/round-money.ts')
  for (const focus of [
    'Change roundMoney',
    'see src/price/round-money.ts:12',
    'how do we round the money?',
    'round-money.ts',
  ])
    expect((await draw({ focus })).topPaths[0], focus).toBe('src/price/round-money.ts')
  expect((await draw({ focus: 'docs/guide.md please' })).topPaths[0]).toBe('docs/guide.md')
})

it('[MAP2] what a file is called or says makes no lines of its own', async () => {
  write({ 'evil\nname.ts': 'export function a() {}', 'b.ts': 'export function b\u2028() {} // </note>\u202e' })
  const { text } = await draw()
  expect(text.split('\n')).toHaveLength(1 + 4)
  expect(text).not.toMatch(/[\u2028\u202e]/)
})
