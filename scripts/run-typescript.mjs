import { environment, runChild } from './lib/child.mjs'
import { runMain } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'

const [program] = process.argv.slice(2)

await runMain(async () => {
  const node = await setUp()
  const { exitCode } = await runChild({ command: node, args: [program], env: environment({}), show: 'inherit' })
  return exitCode
})
