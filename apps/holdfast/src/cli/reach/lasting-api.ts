import { type Clock, type Random, waitFor } from '@holdfast/conversation'
import { CliError } from '../../cli-error.ts'
import type { Api } from './api.ts'
import type { ReachedServer } from './reach-server.ts'

/**
 * A server whose line may be lost: it is looked for until it is back, and what was on its way is asked again. Only what
 * may be asked twice goes this way, such as commands, which name themselves. [SYNC1, SYNC2]
 */
export type LastingApi = Pick<Api, 'call' | 'follow'>

/** What it needs. */
export interface LastingApiDeps {
  readonly server: Pick<ReachedServer, 'api' | 'isOwn' | 'findAgain'>
  readonly clock: Clock
  readonly random: Random
  /** Ends every wait for a lost server. */
  readonly signal: AbortSignal
  /** Told once when the line is lost, and once when it is back, or given up. */
  readonly onLine: (news: 'lost' | 'back' | 'given-up') => void
}

/** How long a server that is away is looked for, in milliseconds: a restart with a long recovery is shorter. */
export const AWAY_MS = 600_000

/** The longest wait before the first look; doubled with each, up to the last. In milliseconds. */
const FIRST_LOOK_MS = 250
const LAST_LOOK_MS = 5_000

/** A server says every 15 s where the log is; a line on which nothing comes for this long is lost. In milliseconds. */
const SILENCE_MS = 45_000

/** Makes the way to a server that may go and come back. */
export function createLastingApi(deps: LastingApiDeps): LastingApi {
  const { server, clock, random } = deps
  let current = server.api
  let lookingFor: Promise<void> | null = null
  /** Looks since something was heard of the server: what breaks again and again is asked less and less often. */
  let looks = 0
  let heardAt = clock.monotonicMs()

  function heard(): void {
    looks = 0
    heardAt = clock.monotonicMs()
  }

  /** Whoever loses the line waits for the same search. */
  function findAgain(lost: unknown): Promise<void> {
    if (server.isOwn || deps.signal.aborted) return Promise.reject(lost)
    lookingFor ??= look(lost).finally(() => {
      lookingFor = null
    })
    return lookingFor
  }

  async function look(lost: unknown): Promise<void> {
    deps.onLine('lost')
    const awaySince = looks === 0 ? clock.monotonicMs() : heardAt
    while (clock.monotonicMs() - awaySince < AWAY_MS) {
      const longest = Math.min(FIRST_LOOK_MS * 2 ** looks, LAST_LOOK_MS)
      looks += 1
      await waitFor(clock, longest * (0.5 + random.next() / 2), deps.signal)
      if (deps.signal.aborted) throw lost
      const found = await server.findAgain()
      if (!found) continue
      current = found
      deps.onLine('back')
      return
    }
    deps.onLine('given-up')
    throw new CliError(
      'E_NO_SERVER',
      69,
      `The server did not come back within ${AWAY_MS / 60_000} minutes. What was said so far is in its log; start it with: holdfast start`,
      { cause: lost },
    )
  }

  return {
    async call(route, asked) {
      for (;;) {
        try {
          const answer = await current.call(route, asked)
          heard()
          return answer
        } catch (error) {
          if (!isLost(error)) throw error
          await findAgain(error)
        }
      }
    },
    async *follow(conversationId, { after, signal }) {
      for (let cursor = after; ; ) {
        const attempt = new AbortController()
        const either = AbortSignal.any([signal, attempt.signal])
        let cancelSilence = clock.after(SILENCE_MS, () => attempt.abort())
        let lost: unknown = new CliError('E_NO_SERVER', 69, 'The server closed the line')
        try {
          for await (const event of current.follow(conversationId, { after: cursor, signal: either })) {
            cancelSilence()
            cancelSilence = clock.after(SILENCE_MS, () => attempt.abort())
            heard()
            if (event.type === 'caught-up' && event.head < cursor) throw otherLog(conversationId, cursor, event.head)
            if (event.type === 'entry') cursor = event.entry.seq
            yield event
          }
        } catch (error) {
          if (signal.aborted) return
          if (!isLost(error) && !attempt.signal.aborted) throw error
          lost = error
        } finally {
          cancelSilence()
          attempt.abort()
        }
        if (signal.aborted) return
        try {
          await findAgain(lost)
        } catch (error) {
          if (signal.aborted) return
          throw error
        }
      }
    },
  }
}

/** Whether the server is away, or is starting or shutting down: the same may be asked again in a moment. */
function isLost(error: unknown): boolean {
  return error instanceof CliError && (error.code === 'E_NO_SERVER' || error.code === 'E_NOT_READY')
}

function otherLog(conversationId: string, cursor: number, head: number): CliError {
  return new CliError(
    'E_OTHER_LOG',
    1,
    `Conversation ${conversationId} ends at ${head} now and went to ${cursor} before: its server has another log, such as a restored backup.`,
  )
}
