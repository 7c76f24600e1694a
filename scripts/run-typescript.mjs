import { environment, runChild } from './lib/child.mjs'
import { runMain } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'

/** Runs a TypeScript program of the repository on the installed Node, against the sources of the packages. */
await runMain(async () => {
  const node = await setUp()
  const args = ['--conditions=@holdfast/source', ...process.argv.slice(2)]
  const { exitCode } = await runChild({ command: node, args, env: environment({}), show: 'inherit' })
  return exitCode
})
