import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createStrictProvider, type StrictProvider } from '@holdfast/conformance'
import type { Case } from './case.ts'
import { groupsIn, problemsOf } from './check-case.ts'
import { type Host, openHost } from './host.ts'
import { startKilledHost } from './killed-host.ts'
import { untilGone } from './process-groups.ts'
import { ALL_DONE, type State } from './states.ts'
import { until } from './until.ts'
import { watchFor } from './watch-for.ts'

/** What is wrong after a case; nothing when all is as it must be. */
export async function runCase(one: Case): Promise<readonly string[]> {
  const { cut, state, format } = one
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-states-'))
  const provider = await createStrictProvider({})
  provider.script(...state.replies)
  provider.otherwise({
    parts: [
      { type: 'thinking', text: 'Nothing is left to do.' },
      { type: 'text', text: ALL_DONE },
    ],
  })
  const place = { folder, urls: provider.urls, format: format.name }
  let host: Host | null = null
  try {
    if (cut === 'kill') await startKilledHost({ place, state, provider })
    host = await openHost(place)
    if (cut === 'stop') await stopIn(host, state, provider)
    await goOn(host)
    await untilGone(groupsIn(folder))
    return await problemsOf({ host, folder, requests: provider.requests, one })
  } catch (error) {
    return [error instanceof Error ? (error.stack ?? error.message) : String(error)]
  } finally {
    await host?.close()
    await provider.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Brings a turn into the state, stops it there, and waits until it has ended. */
async function stopIn(host: Host, state: State, provider: StrictProvider): Promise<void> {
  const reached = Promise.withResolvers<void>()
  const stop = () => host.stop('stop-1')
  const stops: Promise<void>[] = []
  watchFor(host, state.reached, () => {
    // What passes is stopped at once, before whoever wrote it goes on.
    if (state.passing) stops.push(stop())
    reached.resolve()
  })
  await host.begin()
  await host.send('Put the workshop in order.', 'send-1')
  const { reached: mark } = state
  await (mark.type === 'requests'
    ? until('the provider has the request', () => (provider.requests.length >= mark.count ? true : null))
    : reached.promise)
  if (state.queuesAnother) await host.send('And sweep the floor.', 'send-queued')
  await Promise.all(state.passing ? stops : [stop()])
  await host.untilQuiet()
  const open = provider.requests.filter(({ ending }) => ending === undefined)
  await Promise.all(open.map(({ done }) => done))
}

/** Sends a new message, allows what is asked, and waits until all is answered. */
async function goOn(host: Host): Promise<void> {
  await host.send('Go on.', 'send-next')
  for (;;) {
    const { runState } = await host.untilQuiet()
    if (runState.exclusive === null) return
    await host.allowAll()
  }
}
