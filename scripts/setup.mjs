import { runMain, say } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'

await runMain(async () => {
  say(`ready, on ${await setUp()}`)
  return 0
})
