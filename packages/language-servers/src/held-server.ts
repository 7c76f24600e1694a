import type { Clock } from '@holdfast/conversation'
import type { CheckOrder } from './checked.ts'
import { findServer } from './find-server.ts'
import type { Language } from './languages.ts'
import { LANGUAGE_SERVER_LIMITS } from './limits.ts'
import { type LanguageServersDeps, type RunningServer, startServer } from './running-server.ts'
import { ServerError } from './server-error.ts'

/** The one server of a language in a folder, while it runs. */
export interface HeldServer {
  /** The one that runs, or a new one; null where none is there, or there is no room. @throws {ServerError} when it does not start. */
  get(order: Pick<CheckOrder, 'readable'>): Promise<RunningServer | null>
  /** Null while none runs. */
  now(): RunningServer | null
  end(why: string): Promise<void>
  /** It did not do what it is for. */
  crashed(reason: string): void
  /** Why no other is started for a while; null where one may be. */
  passedOver(): string | null
}

/** What a server is held with. */
export interface HeldServerDeps extends LanguageServersDeps {
  /** Whether one more may run. */
  readonly makeRoom: () => Promise<boolean>
}

/** No server runs yet. */
export function createHeldServer(
  { rootPath, language }: { readonly rootPath: string; readonly language: Language },
  { machine, start, makeRoom, clock }: HeldServerDeps,
): HeldServer {
  const crashes = createCrashes(clock)
  let running: RunningServer | null = null
  let starting: Promise<void> | null = null

  async function begin(readable: readonly string[]): Promise<RunningServer | null> {
    const found = await findServer(language, rootPath, machine())
    if (found === null || !(await makeRoom())) return null
    let one: RunningServer | null = null
    let isGone = false
    const onEnd = (): void => {
      isGone = true
      if (running === one) running = null
    }
    const launched = startServer(
      { start, clock },
      { rootPath, readable, language, found, onCrash: crashes.note, onEnd },
    )
    starting = launched.then(
      () => {},
      () => {},
    )
    one = await launched
    starting = null
    if (isGone) throw new ServerError({ code: 'ended', message: crashes.lastReason() })
    running = one
    return one
  }

  return {
    get: async ({ readable }) => running ?? begin(readable),
    now: () => running,
    async end(why) {
      await starting
      const one = running
      if (one === null) return
      running = null
      one.ending ??= why
      await one.program.end()
    },
    crashed: crashes.note,
    passedOver: () => (crashes.areTooMany() ? crashes.lastReason() : null),
  }
}

function createCrashes(clock: Clock) {
  const { crashes: most, crashesMs } = LANGUAGE_SERVER_LIMITS
  let times: readonly number[] = []
  let lastReason = ''
  return {
    note(reason: string): void {
      const now = clock.monotonicMs()
      lastReason = reason
      times = [...times.filter((at) => at + crashesMs > now), now]
    },
    areTooMany: () => times.length >= most && (times.at(-1) ?? 0) + crashesMs > clock.monotonicMs(),
    lastReason: () => lastReason,
  }
}
