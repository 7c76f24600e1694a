import { expect, it } from 'vitest'
import { describeSearch } from './support/describe-search.ts'
import { openWorkbench } from './support/workbench.ts'

describeSearch('built in', null)

it('[WS1] says that it is built in where ripgrep is not installed', async () => {
  const bench = await openWorkbench()
  bench.put('a.txt', 'x')
  expect(await bench.say('search', { pattern: 'x' })).toContain('by the built-in search, as ripgrep is not installed')
  await bench.close()
})
