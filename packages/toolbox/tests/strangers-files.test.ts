import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { createWorkspaceTools, type FileOrigins } from '@holdfast/toolbox'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from './support/system-clock.ts'
import { callTool, openWorkbench, PLAIN_MACHINE, type Workbench } from './support/workbench.ts'

let bench: Workbench
beforeEach(async () => {
  bench = await openWorkbench()
})
afterEach(() => bench.close())

/** Tools that know which files are strangers', and report which of them they read. */
function openReading(strangers: readonly string[], key: string | null = null) {
  const isOne = (path: string) => strangers.some((one) => path === join(bench.root, one))
  const origins: FileOrigins = {
    strangerAt: async ({ absolutePath }) => (isOne(absolutePath) ? { key } : null),
    hasStrangersBelow: async (folder) => strangers.some((one) => join(bench.root, one).startsWith(`${folder}/`)),
  }
  const options = { workspace: bench.workspace, machine: PLAIN_MACHINE, blobSink: bench.ports.blobSink, origins }
  const { tools } = createWorkspaceTools(options, systemClock)
  return {
    async read(name: string, input: Parameters<typeof callTool>[1]): Promise<readonly string[]> {
      const tool = tools.find(({ definition }) => definition.name === name)
      if (!tool) throw new Error(`No tool ${name}`)
      const { effects } = await callTool(tool, input)
      return effects.flatMap((effect) => (effect.type === 'strangers-read' ? effect.files : []))
    },
  }
}

describe('files of strangers', () => {
  beforeEach(() => {
    bench.put('mine.txt', 'mine')
    bench.put('theirs.txt', 'theirs')
    bench.put('sub/deep/theirs.txt', 'deeper')
    bench.put('src/own.ts', 'own')
    bench.put('app/node_modules/a/index.js', 'package')
  })

  it.each([
    ['read', { path: 'theirs.txt' }, ['theirs.txt']],
    ['read', { path: 'mine.txt' }, []],
    ['read', { path: 'app/node_modules/a/index.js' }, ['app/node_modules/a/index.js']],
    ['read', { path: 'link' }, ['theirs.txt']],
    ['list', {}, ['theirs.txt']],
    ['list', { path: 'src' }, []],
    ['glob', { pattern: '*.txt' }, ['sub/deep/theirs.txt', 'theirs.txt']],
    ['search', { pattern: 'package' }, ['app/node_modules/a/index.js']],
    ['search', { pattern: 'own' }, []],
    ['shell', { command: 'cat theirs.txt' }, ['theirs.txt']],
    ['shell', { command: 'cat mine.txt src/own.ts; npm test; rm -f theirs2.txt' }, []],
    ['shell', { command: 'cat < theirs.txt' }, ['theirs.txt']],
    ['shell', { command: 'cat *.txt' }, ['theirs.txt']],
    ['shell', { command: 'cat "$FILE"' }, ['theirs.txt', '.']],
    ['shell', { command: 'cd sub/deep && head theirs.txt' }, ['theirs.txt', 'sub/deep/theirs.txt']],
    ['shell', { command: 'head theirs.txt', folder: 'sub/deep' }, ['sub/deep/theirs.txt']],
    ['shell', { command: 'grep -rn x src' }, []],
    ['shell', { command: 'grep -rn x sub' }, ['sub']],
    ['shell', { command: 'grep -rn x' }, ['theirs.txt', '.']],
    ['shell', { command: 'grep -rn x app' }, ['app']],
    ['shell', { command: 'ls' }, ['theirs.txt']],
    ['shell', { command: 'cp theirs.txt copy.txt' }, ['theirs.txt']],
    ['shell', { command: 'cat ../outside/secret.txt' }, ['../outside/secret.txt']],
  ] as const)('[PERM7] %s of %j brings %j', async (name, input, expected) => {
    symlinkSync('theirs.txt', join(bench.root, 'link'))
    const strangers = ['theirs.txt', 'sub/deep/theirs.txt']
    const read = await openReading(strangers).read(name, { ...input })
    expect(read.map((path) => path.replace(join(bench.outside, '..'), '..'))).toEqual(expected)
  })

  it('[PERM7] bring new words by what stands in them, though their names were listed before', async () => {
    const { read } = openReading(['theirs.txt'])
    expect(await read('list', {})).toEqual(['theirs.txt'])
    expect(await read('shell', { command: 'ls' })).toEqual([])
    expect(await read('shell', { command: 'cat *.txt' })).toEqual(['theirs.txt'])
    expect(await read('read', { path: 'theirs.txt' })).toEqual(['theirs.txt'])
  })

  it('[PERM7] bring nothing new when the same words are read again, nor do other files of the same conversation', async () => {
    const { read } = openReading(['theirs.txt', 'sub/deep/theirs.txt'])
    expect(await read('read', { path: 'theirs.txt' })).toEqual(['theirs.txt'])
    expect(await read('read', { path: 'theirs.txt' })).toEqual([])
    bench.put('theirs.txt', 'others')
    expect(await read('shell', { command: 'cat theirs.txt' })).toEqual(['theirs.txt'])
    const other = openReading(['theirs.txt', 'sub/deep/theirs.txt'], 'conversation_1')
    expect(await other.read('read', { path: 'theirs.txt' })).toEqual(['theirs.txt'])
    expect(await other.read('read', { path: 'sub/deep/theirs.txt' })).toEqual([])
  })
})
