import { environment, runChild } from './lib/child.mjs'
import { runMain } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'

await runMain(async () => {
  const node = await setUp()
  const args = ['scripts/write-public-api.ts']
  const { exitCode } = await runChild({ command: node, args, env: environment({}), show: 'inherit' })
  return exitCode
})
