import type { Checked, CheckOrder, SeenServer } from './checked.ts'
import type { ChangedFile } from './compare-versions.ts'
import { type Language, languageOf } from './languages.ts'
import { LANGUAGE_SERVER_LIMITS } from './limits.ts'
import type { LanguageServersDeps } from './running-server.ts'
import { createSlot, type ServerSlot } from './server-slot.ts'

/** The language servers of a process. [WS32] */
export interface LanguageServers {
  /** What a change broke, of each language that it is about and whose server is there. Takes no longer than the limit. */
  check(order: CheckOrder): Promise<readonly Checked[]>
  /** Those of a folder that run, or are passed over. */
  list(rootPath: string): readonly SeenServer[]
  /** Ends all. */
  close(): Promise<void>
}

/** Nothing runs yet. */
export function createLanguageServers(deps: LanguageServersDeps): LanguageServers {
  const slots = new Map<string, ServerSlot>()
  let isClosed = false

  function slotOf(rootPath: string, language: Language): ServerSlot {
    const key = `${language.name} ${rootPath}`
    const slot = slots.get(key) ?? createSlot({ rootPath, language }, { ...deps, makeRoom })
    slots.set(key, slot)
    return slot
  }

  /** Whether one more may run. The one that was not needed for the longest time goes. */
  async function makeRoom(): Promise<boolean> {
    const running = [...slots.values()].filter((slot) => slot.usedMs() !== null)
    if (running.length < LANGUAGE_SERVER_LIMITS.servers) return !isClosed
    const idle = running
      .filter((slot) => !slot.isAtWork())
      .toSorted((one, two) => (one.usedMs() ?? 0) - (two.usedMs() ?? 0))
    await idle[0]?.end('Another folder needs the room')
    return idle.length > 0 && !isClosed
  }

  return {
    async check({ changes, ...order }) {
      const byLanguage = new Map<Language, ChangedFile[]>()
      for (const change of changes) {
        const language = languageOf(change.path)
        if (language === null) continue
        byLanguage.set(language, [...(byLanguage.get(language) ?? []), change])
      }
      const checked = await Promise.all(
        [...byLanguage].map(([language, own]) => slotOf(order.rootPath, language).check({ ...order, changes: own })),
      )
      return checked.filter((one) => one !== null)
    },
    list: (rootPath) => [...slots.values()].flatMap((slot) => (slot.rootPath === rootPath ? (slot.seen() ?? []) : [])),
    async close() {
      isClosed = true
      await Promise.all([...slots.values()].map((slot) => slot.end('The server ends')))
    },
  }
}
