import { readFileSync } from 'node:fs'
import { ensureProgramBuilt, ensureWebBuilt, hasWebPage } from './lib/build.mjs'
import { environment, runChild } from './lib/child.mjs'
import { runMain } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'

/** The options, as `holdfast start --help` has them; a test holds them together. Whoever asks for them waits for no build. */
const HELP = new URL('start-help.txt', import.meta.url)

await runMain(async () => {
  const isHelp = process.argv.slice(2).some((word) => word === '--help' || word === '-h')
  if (isHelp) {
    process.stdout.write(readFileSync(HELP))
    return 0
  }
  const node = await setUp()
  await ensureProgramBuilt(node)
  if (hasWebPage()) await ensureWebBuilt(node)
  const args = ['apps/holdfast/bin/holdfast.js', 'start', ...process.argv.slice(2)]
  const { exitCode } = await runChild({ command: node, args, env: environment({}), show: 'inherit' })
  return exitCode
})
