import { ensureServerBuilt, ensureWebBuilt, hasWebPage } from './lib/build.mjs'
import { environment, runChild } from './lib/child.mjs'
import { runMain } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'

await runMain(async () => {
  const node = await setUp()
  await ensureServerBuilt(node)
  if (hasWebPage()) await ensureWebBuilt(node)
  const args = ['apps/holdfast/bin/holdfast.js', 'start', ...process.argv.slice(2)]
  const { exitCode } = await runChild({ command: node, args, env: environment({}), show: 'inherit' })
  return exitCode
})
