import type { Clock } from '@holdfast/conversation'
import { type Composer, MAX_TEXT_LENGTH, ownRoutes, SentPart } from '@holdfast/protocol'
import * as z from 'zod'
import type { HttpApi } from '../link/http-api.ts'
import { RequestFailedError } from '../link/request-failed-error.ts'
import { createSource, type Observable } from '../values/observable.ts'
import { parsedJson, wordsIn } from '../values/words-in.ts'
import { mergeParts, mergeUnsent, type UnsentPart } from './merge-unsent.ts'

/**
 * What is written in one conversation and not sent, with what goes along: kept at the server, and in the tab while that is
 * not reached. [SYNC6]
 */
export interface UnsentText extends Observable<string> {
  /** Puts other words there. */
  write(text: string): void
  /** What goes along with the words. Files that this tab uploads are not among it. [UI20] */
  readonly parts: Observable<readonly UnsentPart[]>
  /** Lets a part go along; one that does so already changes nothing. */
  add(part: UnsentPart): void
  /** Takes a part out. */
  remove(part: UnsentPart): void
  /** The words were sent, and these with them: what came meanwhile stays. */
  clear(sent: readonly UnsentPart[]): void
  /** Reads what other tabs have written, and joins it with what is here. */
  refresh(): void
  /** The server has another version: it is read, unless it is this tab's own. */
  heard(version: number): void
}

/** Keeps unsent words over a reload of the page, by conversation. */
export interface UnsentKeeper {
  /** What was saved last, or null. */
  load(conversationId: string): string | null
  /** Null: there is nothing to keep any more. */
  save(conversationId: string, text: string | null): void
}

/** What it needs. */
export interface UnsentTextDeps {
  readonly conversationId: string
  readonly ask: HttpApi
  readonly clock: Clock
  readonly keeper: UnsentKeeper
}

/** The words must rest for so long before they are sent to the server, in milliseconds. */
const REST_MS = 400

/** Others may be faster so many times; then it waits for the next change. */
const MOST_CONFLICTS = 5

/** A version that was heard of is looked for so many times: a server that lost it has an older one. */
const MOST_ROUNDS = 5

/** What the tab keeps: the words and what goes along, and the server's version that they grew from. */
const Kept = z.object({
  text: z.string(),
  base: z.string(),
  parts: z.array(SentPart).exactOptional(),
  baseParts: z.array(SentPart).exactOptional(),
})

/** Makes the unsent of one conversation. */
export function createUnsentText({ conversationId, ask, clock, keeper }: UnsentTextDeps): UnsentText {
  const kept = keptOf(keeper.load(conversationId))
  const source = createSource(kept.text, (tell) => tell())
  const along = createSource(kept.parts, (tell) => tell())
  const params = { id: conversationId }
  let base = kept.base
  let baseParts = kept.baseParts
  /** What is at the server; null until it has been read. */
  let there: Composer | null = null
  /** The newest version that was heard of. */
  let heard = 0
  let cancelRest = () => {}
  let isSyncing = false
  let isAskedAgain = false

  function keep(): void {
    const [text, parts] = [source.getSnapshot(), along.getSnapshot()]
    const isNothing = text === '' && base === '' && parts.length === 0 && baseParts.length === 0
    keeper.save(conversationId, isNothing ? null : JSON.stringify({ text, base, parts, baseParts }))
  }

  function set(text: string, parts: readonly UnsentPart[]): void {
    source.set(text)
    along.set(parts)
    keep()
  }

  async function sync(): Promise<void> {
    cancelRest()
    isAskedAgain = true
    if (isSyncing) return
    isSyncing = true
    try {
      for (let rounds = 0; isAskedAgain || (isBehind() && rounds < MOST_ROUNDS); rounds += 1) {
        if (isBehind()) there = null
        isAskedAgain = false
        await exchange()
      }
      heard = there?.version ?? heard
    } catch (error) {
      // It stays in the tab until the server is reached, or something else is written.
      if (!(error instanceof RequestFailedError)) throw error
    } finally {
      isSyncing = false
    }
  }

  async function exchange(): Promise<void> {
    for (let conflicts = 0; conflicts < MOST_CONFLICTS; conflicts += 1) {
      if (there === null) take(await ask(ownRoutes.readComposer, ownRoutes.readComposer.answers[200], { params }))
      const [mine, parts] = [source.getSnapshot(), along.getSnapshot()]
      if (there === null || (mine === base && parts === baseParts)) return
      // The server takes no words of this length: they stay in the tab until they are fewer. [SYNC8]
      if (mine.length > MAX_TEXT_LENGTH) return
      const content: SentPart[] = [...(mine === '' ? [] : [{ type: 'text' as const, text: mine }]), ...parts]
      const body = { content, version: there.version }
      try {
        there = await ask(ownRoutes.writeComposer, ownRoutes.writeComposer.answers[200], { params, body })
        base = mine
        baseParts = parts
        keep()
        return
      } catch (error) {
        if (!(error instanceof RequestFailedError) || error.code !== 'conflict') throw error
        there = null
      }
    }
  }

  function take(found: Composer): void {
    const theirs = wordsOf(found.content)
    const theirParts = partsOf(found.content)
    const merged = mergeUnsent({ base, mine: source.getSnapshot(), theirs })
    const parts = mergeParts({ base: baseParts, mine: along.getSnapshot(), theirs: theirParts })
    there = found
    heard = Math.max(heard, found.version)
    base = theirs
    baseParts = theirParts
    set(merged, isSame(parts, theirParts) ? theirParts : parts)
  }

  function isBehind(): boolean {
    return there !== null && there.version < heard
  }

  return {
    getSnapshot: source.getSnapshot,
    subscribe: source.subscribe,
    parts: { getSnapshot: along.getSnapshot, subscribe: along.subscribe },
    write(text) {
      set(text, along.getSnapshot())
      cancelRest()
      // What was sent must not come back in another tab.
      if (text === '') void sync()
      else cancelRest = clock.after(REST_MS, () => void sync())
    },
    add(part) {
      const parts = along.getSnapshot()
      if (parts.some((one) => isSame([one], [part]))) return
      set(source.getSnapshot(), [...parts, part])
      void sync()
    },
    remove(part) {
      set(
        source.getSnapshot(),
        along.getSnapshot().filter((one) => !isSame([one], [part])),
      )
      void sync()
    },
    clear(sent) {
      set(
        '',
        along.getSnapshot().filter((part) => !sent.some((one) => isSame([one], [part]))),
      )
      void sync()
    },
    refresh() {
      there = null
      void sync()
    },
    heard(version) {
      heard = Math.max(heard, version)
      if (isSyncing || !(there === null || isBehind())) return
      there = null
      void sync()
    },
  }
}

function keptOf(text: string | null) {
  const json = text === null ? null : parsedJson(text)
  const kept = Kept.safeParse(json)
  // What another version kept are words too. [UI23]
  const unread = text === null ? '' : wordsIn(json === undefined ? text : json)
  const { text: words, base, parts, baseParts } = kept.data ?? { text: unread, base: '' }
  return { text: words, base, parts: partsOf(parts ?? []), baseParts: partsOf(baseParts ?? []) }
}

function wordsOf(content: readonly SentPart[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

function partsOf(content: readonly SentPart[]): readonly UnsentPart[] {
  return content.filter((part) => part.type !== 'text')
}

function isSame(some: readonly UnsentPart[], others: readonly UnsentPart[]): boolean {
  return JSON.stringify(some) === JSON.stringify(others)
}
