import { createTurns } from '@holdfast/conversation'
import type { Checked, CheckOrder, SeenServer } from './checked.ts'
import { type ChangedFile, compareVersions, PackagesChanged } from './compare-versions.ts'
import { createHeldServer, type HeldServerDeps } from './held-server.ts'
import type { Language } from './languages.ts'
import { LANGUAGE_SERVER_LIMITS } from './limits.ts'
import type { RunningServer } from './running-server.ts'
import { ServerError } from './server-error.ts'

/** A language of a folder, and its server while one runs. */
export interface ServerSlot {
  readonly rootPath: string
  /** Null where no server of the language is there. */
  check(order: CheckOrder): Promise<Checked | null>
  /** When it was last needed; null while it does not run. */
  usedMs(): number | null
  isAtWork(): boolean
  seen(): SeenServer | null
  end(why: string): Promise<void>
}

/** No server runs yet. */
export function createSlot(
  { rootPath, language }: { readonly rootPath: string; readonly language: Language },
  deps: HeldServerDeps,
): ServerSlot {
  const { clock } = deps
  const inTurn = createTurns()
  const passedOver: Checked = { type: 'passed-over', language: language.name }
  const held = createHeldServer({ rootPath, language }, deps)
  let usedMs = 0
  let atWork = 0
  /** Calls that were answered without theirs being done; while there are any nobody waits for another. */
  let late = 0
  let recent: readonly string[] = []
  let cancelIdle = (): void => {}

  async function end(why: string): Promise<void> {
    cancelIdle()
    await held.end(why)
  }

  async function work(order: CheckOrder): Promise<Checked | null> {
    const changes = order.changes.slice(0, LANGUAGE_SERVER_LIMITS.files)
    const leftOutCount = order.changes.length - changes.length
    for (let round = 0; ; round += 1) {
      const one = await held.get(order)
      if (one === null) return null
      const cancelHung = clock.after(LANGUAGE_SERVER_LIMITS.hungMs, () => endHung(one))
      try {
        const server = await one.opened
        const errors = await compareVersions({ ...one, server, changes, others: recent, readText: order.readText })
        remember(changes)
        return { type: 'checked', language: language.name, errors, leftOutCount }
      } catch (error) {
        if (error instanceof PackagesChanged && round === 0) await end(error.message)
        else if (error instanceof ServerError) {
          // One that refuses lives on and would refuse again.
          if (error.code !== 'ended' && held.now() === one) {
            held.crashed(error.message)
            await end(error.message)
          }
          return {
            type: 'not-checked',
            language: language.name,
            reason: `its language server failed: ${error.message}`,
          }
        } else throw error
      } finally {
        cancelHung()
      }
    }
  }

  function endHung(one: RunningServer): void {
    if (held.now() !== one) return
    held.crashed(`It gave no answer for ${LANGUAGE_SERVER_LIMITS.hungMs / 1_000} s`)
    void end('It gave no answer')
  }

  function remember(changes: readonly ChangedFile[]): void {
    const now = changes.filter(({ after }) => after !== null).map(({ path }) => path)
    const gone = new Set(changes.map(({ path }) => path))
    recent = [...recent.filter((path) => !gone.has(path)), ...now].slice(-LANGUAGE_SERVER_LIMITS.files)
  }

  function needed(): void {
    usedMs = clock.monotonicMs()
    cancelIdle()
    cancelIdle = clock.after(LANGUAGE_SERVER_LIMITS.idleMs, () => void end('Nobody needed it'))
  }

  return {
    rootPath,
    async check(order) {
      if (late > 0 || held.passedOver() !== null) return passedOver
      needed()
      atWork += 1
      let isWaitedFor = true
      const done = inTurn(async () => {
        if (isWaitedFor) return work(order)
        remember(order.changes)
        return passedOver
      }).catch(asNotChecked(language))
      const limit = Promise.withResolvers<'late'>()
      const cancel = clock.after(LANGUAGE_SERVER_LIMITS.waitMs, () => {
        isWaitedFor = false
        late += 1
        limit.resolve('late')
      })
      const over = (): void => {
        cancel()
        atWork -= 1
        if (!isWaitedFor) late -= 1
      }
      void done.then(over, over)
      const first = await Promise.race([done, limit.promise])
      if (first !== 'late') return first
      const reason = `its language server gave no answer within ${LANGUAGE_SERVER_LIMITS.waitMs} ms`
      return { type: 'not-checked', language: language.name, reason }
    },
    usedMs: () => (held.now() === null ? null : usedMs),
    isAtWork: () => atWork > 0,
    seen() {
      const reason = held.passedOver()
      if (reason !== null) return { language: language.name, program: '', state: 'passed-over', reason }
      const running = held.now()
      if (running === null) return null
      const state = late > 0 ? 'late' : running.isOpen ? 'ready' : 'starting'
      return { language: language.name, program: running.path, state, reason: null }
    },
    end,
  }
}

function asNotChecked({ name: language }: Language): (error: unknown) => Checked {
  return (error) => {
    if (!(error instanceof ServerError)) throw error
    return { type: 'not-checked', language, reason: error.message }
  }
}
