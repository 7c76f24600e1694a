import { ensureProgramBuilt, ensureWebBuilt, hasWebPage } from './lib/build.mjs'
import { runMain } from './lib/say.mjs'
import { setUp } from './lib/setup.mjs'

/** Builds what people start, the program and the page, where a source changed since the last time. */
await runMain(async () => {
  const node = await setUp()
  await ensureProgramBuilt(node)
  if (hasWebPage()) await ensureWebBuilt(node)
  return 0
})
