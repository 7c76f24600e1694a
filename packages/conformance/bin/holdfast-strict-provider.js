#!/usr/bin/env node
const { runCommand } = await import('../dist/command/run.js').catch((error) => {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error
  process.stderr.write('The strict provider is not built yet. Build it in the clone: npx tsc -b\n')
  process.exit(1)
})

const interrupted = new AbortController()
process.once('SIGINT', () => interrupted.abort())
process.once('SIGTERM', () => interrupted.abort())
const say = (line) => process.stdout.write(`${line}\n`)
const complain = (line) => process.stderr.write(`${line}\n`)
process.exitCode = await runCommand({ args: process.argv.slice(2), say, complain, signal: interrupted.signal })
