import { expect, it } from 'vitest'
import { describeSearch } from './support/describe-search.ts'
import { testTool } from './support/test-tool.ts'
import { openWorkbench, PLAIN_MACHINE } from './support/workbench.ts'

const ripgrep = testTool('HOLDFAST_RIPGREP')

describeSearch('by ripgrep', ripgrep)

it('[WS1] says that ripgrep looks where it is installed', async () => {
  const bench = await openWorkbench({ machine: { ...PLAIN_MACHINE, ripgrep } })
  bench.put('a.txt', 'x')
  expect(await bench.say('search', { pattern: 'x' })).toContain('(by ripgrep)')
  await bench.close()
})

it('[SEC14] finds nothing in what is closed to tools', async () => {
  const bench = await openWorkbench({ machine: { ...PLAIN_MACHINE, ripgrep }, closed: ['work/data'] })
  bench.put('data/start-up-token', 'secret words')
  bench.put('a.txt', 'other words')
  expect(await bench.say('search', { pattern: 'words', include_ignored: true })).toMatch(
    /1 lines in 1 files[\s\S]*other/,
  )
  expect(await bench.say('search', { pattern: 'words', path: 'data' })).toContain('is closed to tools')
  await bench.close()
})
