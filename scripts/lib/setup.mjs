import { ensureInstalled } from './install.mjs'
import { installedNode } from './installed-node.mjs'

/** Makes the clone ready to run and returns the Node to run it on. */
export async function setUp() {
  await ensureInstalled()
  return installedNode()
}
