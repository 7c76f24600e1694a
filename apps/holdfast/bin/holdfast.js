#!/usr/bin/env node
// Plain JavaScript without imports at the top: an older Node must get as far as this sentence.
const NEEDED = [22, 18]
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)

if (major < NEEDED[0] || (major === NEEDED[0] && minor < NEEDED[1])) {
  process.stderr.write(
    `holdfast needs Node.js ${NEEDED.join('.')} or newer; this is ${process.versions.node} (${process.execPath}). ` +
      'Install a newer one from https://nodejs.org (E_NODE_TOO_OLD)\n',
  )
  process.exitCode = 1
} else {
  const { enableCompileCache } = await import('node:module')
  // Beside the program, where only who may change the program may write. Where it cannot be written, nothing is lost.
  enableCompileCache(new URL('../.compile-cache', import.meta.url).pathname)
  const { main } = await import('../dist/main.js')
  process.exitCode = await main(process.argv)
  // What is still open by now (a line that does not close, a shutdown over its limit) does not hold the process.
  setTimeout(() => process.exit(), 500).unref()
}
