/**
 * Holdfast that stays loaded: it serves one data folder after the other, as the messages of its parent say. To read and compile its
 * modules is three quarters of what a start takes. Signals mean what they always mean.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import * as z from 'zod'
import { ROOT } from './root.ts'

const Told = z.discriminatedUnion('type', [
  z.object({ type: z.literal('start'), args: z.array(z.string()), env: z.record(z.string(), z.string()) }),
  z.object({ type: z.literal('leave') }),
])

const Program = z.object({
  main: z.custom<(argv: readonly string[]) => Promise<number>>((value) => typeof value === 'function'),
})

const HOME = join(ROOT, 'apps', 'holdfast')
enableCompileCache(join(HOME, '.compile-cache'))
const { main } = Program.parse(await import(join(HOME, 'dist', 'main.js')))

let isLeft = false
const writeError = process.stderr.write.bind(process.stderr)

process.on('disconnect', () => process.exit())
process.on('message', (message) => {
  const told = Told.parse(message)
  if (told.type === 'start') return void serve(told.args, told.env)
  isLeft = true
  // What it says to who ends it is for nobody.
  process.stderr.write = () => true
  process.emit('SIGTERM', 'SIGTERM')
})

/** Serves until it is left, and then waits for the next; asked to end in any other way, it ends as the program does. */
async function serve(args: readonly string[], env: Readonly<Record<string, string>>): Promise<void> {
  isLeft = false
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name]
  Object.assign(process.env, env)
  process.argv = [process.execPath, join(HOME, 'bin', 'holdfast.js'), ...args]
  const exitCode = await main(process.argv)
  if (!isLeft) process.exit(exitCode)
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name)
  for (const stream of [process.stdout, process.stderr]) stream.removeAllListeners('error')
  process.stderr.write = writeError
  process.send?.('left')
}
