import { existsSync, linkSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createFolderWatch, createSurveyor, FileRefusal, openWorkspace } from '@holdfast/toolbox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from './support/system-clock.ts'
import { openWorkbench, SECRET, type Workbench } from './support/workbench.ts'

const REFUSED = 'belongs to the server that runs you, and is closed to tools'
/** What the server has in the folder of the workspace: a data folder, a file, and a file that is not there yet. */
const CLOSED = ['work/app/data', 'work/holdfast.json', 'work/later.json']

let bench: Workbench
afterEach(() => bench.close())

async function openClosed(options: Parameters<typeof openWorkbench>[0]): Promise<void> {
  bench = await openWorkbench({ closed: CLOSED, hardLinks: 'use', ...options })
  bench.put('app/data/start-up-token', SECRET)
  bench.put('app/data/store/log', SECRET)
  bench.put('app/mine.txt', 'mine')
  bench.put('holdfast.json', `{"apiKey":"${SECRET}"}`)
  symlinkSync('app/data', join(bench.root, 'link'))
  symlinkSync(join(bench.root, 'app'), join(bench.root, 'way'))
  symlinkSync('holdfast.json', join(bench.root, 'settings'))
  linkSync(join(bench.root, 'holdfast.json'), join(bench.root, 'second-name'))
}

describe('what belongs to the server', () => {
  beforeEach(() => openClosed({}))

  it('[SEC14] is not found and not counted', async () => {
    for (const includeIgnored of [false, true])
      expect(await bench.say('search', { pattern: 'CANARY', include_ignored: includeIgnored })).toContain(
        'ok: No line matches CANARY',
      )
    for (const path of ['app/data', 'link', 'way/data', 'holdfast.json', 'settings'])
      expect(await bench.say('search', { pattern: 'CANARY', path }), path).toContain(REFUSED)
    expect(await bench.say('glob', { pattern: '**', include_ignored: true })).not.toMatch(/token|store|holdfast\.json/)
  })

  it.each(['app/data', 'app/data/store', 'link', 'link/store', 'way/data', 'app/../link/../app/data'])(
    '[SEC14] is not listed: %s',
    async (path) => {
      expect(await bench.say('list', { path })).toContain(REFUSED)
    },
  )

  it.each([
    ...['app/data/start-up-token', 'link/start-up-token', 'way/data/store/log', 'holdfast.json', 'settings'],
    ...['second-name', 'later.json', 'app/data/store/not-there', 'link/not-there'],
  ])('[SEC14] is neither read nor changed, removed or moved: %s', async (path) => {
    const calls = [
      ['read', { path }],
      ['write', { path, content: 'evil' }],
      ['edit', { path, old_text: SECRET, new_text: 'evil' }],
      ['move', { from: 'app/mine.txt', to: path }],
    ] as const
    for (const [tool, input] of calls) expect(await bench.say(tool, input), tool).toMatch(/^error: /)
    for (const [tool, input] of [calls[0], calls[1]]) expect(await bench.say(tool, input), tool).toContain(REFUSED)
    await bench.say('delete', { path })
    await bench.say('move', { from: path, to: 'taken' })
    expect(await bench.say('read', { path: 'taken' })).not.toContain(SECRET)
    expect(readFileSync(join(bench.root, 'app/data/start-up-token'), 'utf8')).toBe(SECRET)
    expect(readFileSync(join(bench.root, 'holdfast.json'), 'utf8')).toContain(SECRET)
    expect(existsSync(join(bench.root, 'later.json'))).toBe(false)
    expect([...bench.blobs.values()].map(String).join()).not.toContain(SECRET)
  })

  it('[SEC14] stays with all that is above it', async () => {
    for (const path of ['app', 'app/data', 'way/data']) {
      expect(await bench.say('delete', { path }), path).toContain('error:')
      expect(await bench.say('move', { from: path, to: 'elsewhere' }), path).toContain('error:')
    }
    expect(existsSync(join(bench.root, 'app/data/start-up-token'))).toBe(true)
    expect(await bench.say('read', { path: 'app/mine.txt' })).toContain('mine')
    expect(await bench.say('list', { path: 'way' })).toContain('mine.txt')
  })

  it('[SEC14] is a workspace to nobody', async () => {
    for (const root of ['app/data', 'app/data/store', 'link']) {
      const path = join(bench.root, root)
      const { readBytes } = await import('../src/workspace/file-bytes.ts')
      const workspace = openWorkspace({ root: path, closed: [join(bench.root, 'app/data')] })
      await expect(readBytes(workspace, { path: 'start-up-token', limitBytes: 100 })).rejects.toThrow(FileRefusal)
    }
  })
})

it('[SEC14] is not kept by those who watch the folder for what commands change', async () => {
  const surveyor = createSurveyor({ folder: '/tmp', clock: systemClock })
  const watch = createFolderWatch({ surveyor, clock: systemClock })
  await openClosed({ watch })
  mkdirSync(join(bench.root, 'app/data/more'))
  expect(
    await bench.say('shell', {
      command: 'echo seen > app/seen.txt; echo evil > app/data/more/a; echo evil > app/data/start-up-token',
    }),
  ).toContain('ok:')
  expect(bench.changes.map(({ path }) => path)).toEqual(['app/seen.txt'])
  writeFileSync(join(bench.root, 'app/data/start-up-token'), SECRET)
  await watch.close()
})
