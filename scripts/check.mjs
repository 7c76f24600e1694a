import { concludeWith, runChecks } from './lib/checks.mjs'
import { runMain } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'
import { fastStaticChecks } from './lib/static-checks.mjs'
import { vitestCheck } from './lib/vitest-check.mjs'

await runMain(async () => {
  const node = await setUp()
  const unitTests = vitestCheck({ name: 'unit tests', node, projects: ['unit'], env: () => ({}) })
  return concludeWith(await runChecks([...fastStaticChecks(node), unitTests]))
})
