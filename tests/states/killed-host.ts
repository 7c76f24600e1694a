import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { StrictProvider } from '@holdfast/conformance'
import type { HostPlace } from './host.ts'
import type { State } from './states.ts'
import { until } from './until.ts'

/** What the process is told on its command line. */
export interface KilledHostTask {
  readonly place: HostPlace
  /** Name of a state. */
  readonly state: string
}

/**
 * Runs a host in a process of its own, brings a turn into the state and kills the process there with -9.
 *
 * @throws when it ends in another way.
 */
export async function startKilledHost({
  place,
  state,
  provider,
}: {
  readonly place: HostPlace
  readonly state: State
  readonly provider: StrictProvider
}): Promise<void> {
  const task: KilledHostTask = { place, state: state.name }
  const script = new URL('./killed-process.ts', import.meta.url).pathname
  const args = ['--conditions=@holdfast/source', script, JSON.stringify(task)]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let said = ''
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString()
  })
  let isOver = false
  const exited = once(child, 'exit').finally(() => {
    isOver = true
  })
  const { reached } = state
  try {
    await until(`the process is in the state ${state.name}`, () => {
      if (isOver || said.includes('reached')) return true
      return reached.type === 'requests' && provider.requests.length >= reached.count ? true : null
    })
  } finally {
    child.kill('SIGKILL')
  }
  const [, signal] = await exited
  if (signal !== 'SIGKILL') throw new Error(`The process ended by itself before it was in the state ${state.name}`)
  // What it sent is read, and its connection is seen closed, before another process goes on.
  await Promise.all(provider.requests.map(({ done }) => done))
}
