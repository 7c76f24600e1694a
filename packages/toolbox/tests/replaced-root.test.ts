import { mkdir, mkdtemp, readFile, realpath, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createTools, openWorkspace } from '@holdfast/toolbox'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { systemClock } from './support/system-clock.ts'
import { PLAIN_MACHINE } from './support/workbench.ts'

let base: string

beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'replaced-root-')))
})

afterEach(() => rm(base, { recursive: true }))

it('[WS1] is not led out by a folder above its root that became a link', async () => {
  for (const place of ['above', 'outside']) {
    await mkdir(join(base, place, 'part'), { recursive: true })
    await writeFile(join(base, place, 'part', 'a.txt'), `${place}\n`)
  }
  const workspace = openWorkspace({ root: join(base, 'above', 'part'), closed: [] })
  const blobSink = { keep: () => Promise.reject(new Error('not used')) }
  const own = createTools({
    clock: systemClock,
    web: null,
    findResult: null,
    workspace: { workspace, machine: PLAIN_MACHINE, blobSink },
  })
  const run = (name: string, input: object) => {
    const tool = own.tools.find(({ definition }) => definition.name === name)
    const signal = new AbortController().signal
    const idle = { progress() {}, report() {}, suspend: () => () => {} }
    return tool?.run(input, { callId: 'call_1', signal, timeoutMs: 1_000, ...idle })
  }
  expect(await run('read', { path: 'a.txt' })).toMatchObject({ isError: false, text: expect.stringContaining('above') })
  await rename(join(base, 'above'), join(base, 'moved'))
  await symlink(join(base, 'outside'), join(base, 'above'))
  for (const [name, input] of [
    ['read', { path: 'a.txt' }],
    ['write', { path: 'b.txt', content: 'led out' }],
    ['shell', { command: 'cat a.txt' }],
  ] as const) {
    const answered = await run(name, input)
    expect(answered).toMatchObject({ isError: true, text: expect.stringContaining('is reached by a link now') })
  }
  await expect(readFile(join(base, 'outside', 'part', 'b.txt'))).rejects.toThrow('ENOENT')
  await own.close()
})
