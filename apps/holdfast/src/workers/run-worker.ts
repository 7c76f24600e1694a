import { Socket } from 'node:net'
import { readConfig } from '../config.ts'
import { keepNurserySmall } from '../keep-nursery-small.ts'
import type { Running } from '../running.ts'
import type { Stopped } from '../serving/until-signal.ts'
import { serve } from '../start.ts'
import { type BehindPort, workerFolder } from './behind-port.ts'
import { type FromWorker, ToWorker } from './worker-messages.ts'

/** Serves lines that another process hands over, until that tells it to end or is gone itself. @returns the exit code. [SCALE4] */
export async function runWorker(): Promise<number> {
  keepNurserySmall()
  const begun = Promise.withResolvers<Extract<ToWorker, { type: 'begin' }>>()
  const running = Promise.withResolvers<Running>()
  const stopped = untilEnded()
  process.on('message', (told, handle) => void hear(ToWorker.parse(told), handle))

  async function hear(told: ToWorker, handle: unknown): Promise<void> {
    switch (told.type) {
      case 'begin':
        return begun.resolve(told)
      case 'line':
        // One that was closed on its way comes without its socket.
        if (handle instanceof Socket) (await running.promise).take(handle)
        return
      case 'code-made':
        return (await running.promise).startupToken.keepCode(told.code)
      case 'code-taken':
        return (await running.promise).startupToken.dropCode(told.code)
      case 'token-made':
        return (await running.promise).startupToken.replace(told.token)
      case 'end':
        return stopped.end()
    }
  }

  const { options, number, ...shared } = await begun.promise
  const asked = readConfig(options)
  const behind: BehindPort = {
    ...shared,
    tellCodeTaken: (code) => say({ type: 'code-taken', code }),
    tellToken: (token) => say({ type: 'token-made', token }),
  }
  return serve(
    { ...asked, ownDir: workerFolder(asked.dataDir, number) },
    {
      stopped,
      behind,
      async onReady(started) {
        running.resolve(started)
        const { url, opened, token, link } = started
        say({ type: 'ready', url, opened, token, link })
      },
    },
  )
}

/** What it is told beyond a signal: the terminal sends Ctrl+C to all processes, and the one that has the port decides. */
function untilEnded(): Stopped & { end(): void } {
  const { promise: first, resolve: end } = Promise.withResolvers<void>()
  process.on('SIGINT', () => {})
  process.on('SIGTERM', end)
  process.on('disconnect', end)
  return { first, second: new Promise(() => {}), end }
}

function say(message: FromWorker): void {
  // Who has the port may be gone; then this process ends too.
  process.send?.(message, undefined, undefined, () => {})
}
