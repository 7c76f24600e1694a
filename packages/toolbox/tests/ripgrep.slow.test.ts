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
