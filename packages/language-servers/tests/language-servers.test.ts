import { chmodSync, existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createManualClock } from '@holdfast/engine/testing'
import { LANGUAGE_SERVER_LIMITS } from '@holdfast/language-servers'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { openFolder, STRICT } from './support/folder.ts'

/** Programs are started when the system likes, in milliseconds. */
const PATIENT_MS = 15_000

let open: ReturnType<typeof openFolder>[] = []
afterEach(async () => {
  for (const folder of open) await folder.close()
  open = []
})
function folderWith(...given: Parameters<typeof openFolder>) {
  const folder = openFolder(...given)
  open.push(folder)
  return folder
}
function typescript() {
  const folder = folderWith()
  folder.put('tsconfig.json', STRICT)
  folder.put('src/a.ts', 'export const a: number = 1\n')
  folder.put('src/b.ts', "import { a } from './a'\nexport const b: number = a\nexport const old: string = 1\n")
  return folder
}

describe('what a change broke', () => {
  it('[WS31] is told with its place, and nothing that was wrong before', async () => {
    const folder = typescript()
    const text = "import { a } from './a'\n\nexport const b: boolean = a\nexport const old: string = 1\n"
    expect(await folder.say({ 'src/b.ts': text })).toBe(
      "New errors of TypeScript since this change:\nsrc/b.ts:3:14 Type 'number' is not assignable to type 'boolean'. (2322)",
    )
    expect(await folder.say({ 'src/b.ts': `${text}\n` })).toBeNull()
    expect(await folder.say({ 'src/b.ts': `${text}export const c: string = 1\n` })).toBe(
      "New errors of TypeScript since this change:\nsrc/b.ts:5:14 Type 'number' is not assignable to type 'string'. (2322)",
    )
  })

  it('[WS31] counts what broke in files that were changed before, and says nothing of what was mended', async () => {
    const folder = typescript()
    expect(await folder.say({ 'src/b.ts': "import { a } from './a'\nexport const b: number = a\n" })).toBeNull()
    expect(await folder.say({ 'src/a.ts': "export const a: string = ''\n" })).toBe(
      'New errors of TypeScript since this change:\nsrc/b.ts: 1 in this file, which it did not change',
    )
    expect(await folder.say({ 'src/a.ts': 'export const a: number = 2\n' })).toBeNull()
  })

  it('[WS31] knows of files that came, went and were moved, and of what nobody told', async () => {
    const folder = typescript()
    expect(await folder.say({ 'src/c.ts': "import { b } from './b'\nexport const c: number = b\n" })).toBeNull()
    expect(await folder.say({ 'src/a.ts': null })).toBeNull()
    expect(await folder.say({ 'src/d.ts': "import { a } from './a'\nexport const d = a\n" })).toContain(
      "src/d.ts:1:19 Cannot find module './a'",
    )
    // Written by somebody else, with a new name, and over the old text.
    folder.put('src/a.ts', 'export const a: number = 3\n')
    folder.put('src/b.ts', "export const b: string = ''\n")
    expect(await folder.say({ 'src/e.ts': "import { b } from './b'\nexport const e: number = b\n" })).toContain(
      "src/e.ts:2:14 Type 'string' is not assignable to type 'number'",
    )
    expect(await folder.say({ 'src/d.ts': "import { a } from './a'\nexport const d: number = a\n" })).toBeNull()
  })

  it('[WS31] is what the settings of the folder make of it, as they are now', async () => {
    const folder = typescript()
    expect(await folder.say({ 'src/c.ts': 'export function f(x) { return x }\n' })).toContain('implicitly')
    folder.put('tsconfig.json', STRICT.replace('"strict":true', '"strict":false'))
    expect(await folder.say({ 'src/d.ts': 'export function f(x) { return x }\n' })).toBeNull()
  })

  it('[WS31] begins anew when packages were installed', async () => {
    const folder = typescript()
    folder.put('node_modules/.package-lock.json', '{}')
    const uses = "import { one } from 'one'\nexport const b: string = one\n"
    expect(await folder.say({ 'src/b.ts': uses })).toContain("Cannot find module 'one'")
    folder.put('node_modules/one/package.json', '{"name":"one","version":"1.0.0","types":"index.d.ts"}')
    folder.put('node_modules/one/index.d.ts', 'export const one: number\n')
    folder.put('node_modules/.package-lock.json', '{"one":1}')
    expect(await folder.say({ 'src/b.ts': `${uses}\n` })).toBe(null)
    expect(await folder.say({ 'src/c.ts': uses })).toContain("Type 'number' is not assignable to type 'string'")
    expect(folder.started).toHaveLength(2)
  })

  it('[WS31] is cut, on one line and counted where it is too much', async () => {
    const folder = typescript()
    const lines = Array.from({ length: 30 }, (_, at) => `export const x${at}: number = 'a\\u2028b'`)
    const told = (await folder.say({ 'src/c.ts': `${lines.join('\n')}\n` })) ?? ''
    expect(told.split('\n')).toHaveLength(22)
    expect(told).toContain('… and 10 more')
    const long = `import '${'a'.repeat(2_000)}'\n`
    expect((await folder.say({ 'src/d.ts': long }))?.length).toBeLessThan(500)
  })
})

describe('language servers', () => {
  it('[WS32] are those of the folder or of the path, and none that is too old or not there', async () => {
    const folder = folderWith({ searchPath: '/nonexistent' })
    expect(await folder.change({ 'a.ts': 'export const a: string = 1\n' })).toEqual([])
    folder.odd('well')
    folder.put('node_modules/typescript/package.json', '{"name":"typescript","version":"5.9.3"}')
    expect(await folder.change({ 'a.ts': 'export const a: string = 1\n' })).toEqual([])
    folder.odd('well')
    expect(await folder.change({ 'a.ts': 'export const a: string = 2\n', 'a.md': '#', 'a.py': 'x' })).toEqual([
      { type: 'checked', language: 'TypeScript', errors: [], leftOutCount: 0 },
    ])
    expect(folder.started.map(({ words }) => words.slice(1))).toEqual([
      [join(folder.rootPath, 'node_modules/typescript/bin/tsc'), '--lsp', '--stdio'],
    ])
  })

  it('[WS32] end when nobody needs them, with the process, and when others need the room', async () => {
    const clock = createManualClock()
    const folders = Array.from({ length: LANGUAGE_SERVER_LIMITS.servers + 1 }, () => folderWith({ clock }))
    const [first] = folders
    if (first === undefined) throw new Error('There is none')
    first.odd('well')
    await first.change({ 'a.ts': '1' })
    expect(first.servers.list(first.rootPath)).toMatchObject([{ language: 'TypeScript', state: 'ready', reason: null }])
    await clock.advance(LANGUAGE_SERVER_LIMITS.idleMs)
    await vi.waitFor(() => expect(first.ended).toHaveLength(1), PATIENT_MS)
    expect(first.servers.list(first.rootPath)).toEqual([])
    await first.change({ 'a.ts': '2' })
    expect(first.started).toHaveLength(2)
    for (const folder of folders.slice(1)) {
      folder.odd('well')
      const readText = async () => null
      const changes = [{ path: 'a.ts', before: null, after: '1' }]
      await first.servers.check({ rootPath: folder.rootPath, readable: [], changes, readText })
    }
    expect(first.servers.list(first.rootPath)).toEqual([])
    await first.servers.close()
    await vi.waitFor(() => expect(first.ended).toHaveLength(first.started.length), PATIENT_MS)
    for (const { pid } of first.started) expect(() => process.kill(pid, 0)).toThrow()
  })

  it('[WS32] end with the process, also one that is just being started', async () => {
    const { promise: launched, resolve } = Promise.withResolvers<void>()
    const folder = folderWith({ launched })
    folder.odd('hang-at-start')
    const asked = folder.change({ 'a.ts': '1' })
    await vi.waitFor(() => expect(folder.started).toHaveLength(1), PATIENT_MS)
    const closed = folder.servers.close()
    resolve()
    await closed
    await vi.waitFor(() => expect(folder.ended).toHaveLength(1), PATIENT_MS)
    expect(await asked).toMatchObject([{ type: 'not-checked' }])
    expect(await folder.change({ 'a.ts': '2' })).toEqual([])
  })

  it('[WS32] have nothing installed for what JavaScript names', async () => {
    const folder = folderWith()
    folder.put('bin/npm', '#!/bin/sh\necho "$@" > "$(dirname "$0")/asked.txt"\n')
    chmodSync(join(folder.rootPath, 'bin', 'npm'), 0o755)
    folder.put('a.js', "const lodash = require('lodash')\nlodash.map([])\n")
    await folder.change({ 'a.js': "const lodash = require('lodash')\nlodash.map([1])\n" })
    await folder.change({ 'b.js': "require('react')\n" })
    await folder.servers.close()
    expect(folder.textOf('bin/asked.txt')).toBeNull()
  })

  it('[WS32] that hang are waited for once, passed over, and ended', async () => {
    const clock = createManualClock()
    const folder = folderWith({ clock })
    folder.odd('hang')
    const first = folder.change({ 'a.ts': '1' })
    await vi.waitFor(() => expect(folder.servers.list(folder.rootPath)).toMatchObject([{ state: 'ready' }]), PATIENT_MS)
    await clock.advance(LANGUAGE_SERVER_LIMITS.waitMs - 1)
    const second = folder.change({ 'b.ts': '1' })
    await clock.advance(1)
    expect(await first).toEqual([
      { type: 'not-checked', language: 'TypeScript', reason: 'its language server gave no answer within 1500 ms' },
    ])
    expect(await folder.change({ 'a.ts': '2' })).toEqual([{ type: 'passed-over', language: 'TypeScript' }])
    expect(folder.servers.list(folder.rootPath)).toMatchObject([{ state: 'late' }])
    await clock.advance(LANGUAGE_SERVER_LIMITS.waitMs)
    await second
    await clock.advance(LANGUAGE_SERVER_LIMITS.hungMs)
    await vi.waitFor(() => expect(folder.servers.list(folder.rootPath)).toEqual([]), PATIENT_MS)
    await vi.waitFor(() => expect(folder.ended).toHaveLength(1), PATIENT_MS)
    folder.odd('well')
    expect(await folder.change({ 'a.ts': '3' })).toMatchObject([{ type: 'checked' }])
    // None was started for the change that nobody waited for any more.
    expect(folder.started).toHaveLength(2)
  })

  it('[WS32] that hang one after the other are each ended', async () => {
    const clock = createManualClock()
    const folder = folderWith({ clock })
    folder.odd('hang')
    for (let round = 0; round < LANGUAGE_SERVER_LIMITS.crashes; round += 1) {
      const asked = folder.change({ 'a.ts': `${round}` })
      await vi.waitFor(
        () => expect(folder.servers.list(folder.rootPath)).toMatchObject([{ state: 'ready' }]),
        PATIENT_MS,
      )
      await clock.advance(LANGUAGE_SERVER_LIMITS.hungMs)
      expect(await asked).toMatchObject([{ type: 'not-checked' }])
      await vi.waitFor(() => expect(folder.ended).toHaveLength(round + 1), PATIENT_MS)
    }
    expect(folder.servers.list(folder.rootPath)).toMatchObject([
      { state: 'passed-over', reason: 'It gave no answer for 60 s' },
    ])
  })

  it('[WS32] that crash are started again within bounds, and it is said', async () => {
    const clock = createManualClock()
    const folder = folderWith({ clock })
    folder.odd('crash')
    for (let round = 0; round < LANGUAGE_SERVER_LIMITS.crashes; round += 1) {
      expect(await folder.say({ 'a.ts': `${round}` })).toBe(
        'Not checked for new errors of TypeScript: its language server failed: It ended with 3.',
      )
      await vi.waitFor(() => expect(folder.ended).toHaveLength(round + 1), PATIENT_MS)
    }
    folder.odd('well')
    expect(await folder.say({ 'a.ts': 'x' })).toBeNull()
    expect(folder.servers.list(folder.rootPath)).toEqual([
      { language: 'TypeScript', program: '', state: 'passed-over', reason: 'It ended with 3' },
    ])
    expect(folder.started).toHaveLength(LANGUAGE_SERVER_LIMITS.crashes)
    await clock.advance(LANGUAGE_SERVER_LIMITS.crashesMs)
    expect(await folder.change({ 'a.ts': 'y' })).toMatchObject([{ type: 'checked' }])
  })

  it('[WS31] are asked that say after their start that they answer, and those that do not are ended', async () => {
    const folder = folderWith()
    folder.odd('later')
    expect(await folder.change({ 'a.ts': '1' })).toMatchObject([{ type: 'checked' }])
    const clock = createManualClock()
    const other = folderWith({ clock })
    other.odd('no-pull')
    const asked = other.change({ 'a.ts': '1' })
    await vi.waitFor(() => expect(existsSync(join(other.rootPath, 'begun.txt'))).toBe(true), PATIENT_MS)
    await clock.advance(LANGUAGE_SERVER_LIMITS.offerMs)
    expect(await asked).toMatchObject([{ type: 'not-checked' }])
    await vi.waitFor(() => expect(other.ended).toHaveLength(1), PATIENT_MS)
  })

  it.each(['no-message', 'again'])('[WS32] that are none are ended and said to be so: %s', async (how) => {
    const folder = folderWith()
    folder.odd(how)
    expect(await folder.change({ 'a.ts': '1' })).toMatchObject([{ type: 'not-checked' }])
    await vi.waitFor(() => expect(folder.ended).not.toEqual([]), PATIENT_MS)
  })

  it('[WS32] wait for nothing of a folder that went away', async () => {
    const folder = typescript()
    await folder.change({ 'src/a.ts': 'export const a = 1\n' })
    rmSync(folder.rootPath, { recursive: true })
    const changes = [{ path: 'src/a.ts', before: 'export const a = 1\n', after: null }]
    const order = { rootPath: folder.rootPath, readable: [], changes, readText: async () => null }
    expect(await folder.servers.check(order)).toMatchObject([{ type: 'checked', errors: [] }])
  })
})
