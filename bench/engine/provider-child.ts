import { fork } from 'node:child_process'
import { once } from 'node:events'
import { ProviderMessage, type RequestOver } from './provider-messages.ts'

/** A strict provider in a process of its own. */
export interface ProviderChild {
  /** Base URL of the Anthropic format. */
  readonly url: string
  /** What it has told so far. */
  readonly over: readonly RequestOver[]
  close(): Promise<void>
}

/** Starts the provider with a script. */
export async function startProvider(script: 'moments' | 'deltas', seed: number): Promise<ProviderChild> {
  const path = new URL('./provider-process.ts', import.meta.url).pathname
  const child = fork(path, [script, String(seed)], { execArgv: ['--conditions=@holdfast/source'] })
  const ready = Promise.withResolvers<string>()
  const over: RequestOver[] = []
  child.on('message', (told) => {
    const message = ProviderMessage.parse(told)
    if (message.type === 'ready') ready.resolve(message.url)
    else over.push(message)
  })
  const exited = once(child, 'exit')
  child.once('exit', (code) => ready.reject(new Error(`The provider's process ended with ${code}`)))
  return {
    url: await ready.promise,
    over,
    async close() {
      child.disconnect()
      await exited
    },
  }
}
