import type { Clock } from '@holdfast/conversation'
import { type Composer, routes, type SentPart } from '@holdfast/protocol'
import * as z from 'zod'
import type { HttpApi } from './http-api.ts'
import { mergeUnsent } from './merge-unsent.ts'
import { createSource, type Observable } from './observable.ts'
import { RequestFailedError } from './request-failed-error.ts'
import { parsedJson, wordsIn } from './words-in.ts'

/** What is written in one conversation and not sent: kept at the server, and in the tab while that is not reached. [SYNC6] */
export interface UnsentText extends Observable<string> {
  /** Puts other words there. */
  write(text: string): void
  /** Reads what other tabs have written, and joins it with what is here. */
  refresh(): void
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

/** What the tab keeps: the words, and the server's version that they grew from. */
const Kept = z.object({ text: z.string(), base: z.string() })

/** Makes the unsent of one conversation. */
export function createUnsentText({ conversationId, ask, clock, keeper }: UnsentTextDeps): UnsentText {
  const kept = keptOf(keeper.load(conversationId))
  const source = createSource(kept.text, (tell) => tell())
  const params = { id: conversationId }
  let base = kept.base
  /** What is at the server; null until it has been read. */
  let there: Composer | null = null
  let cancelRest = () => {}
  let isSyncing = false
  let isAskedAgain = false

  function set(text: string): void {
    source.set(text)
    keeper.save(conversationId, text === '' && base === '' ? null : JSON.stringify({ text, base }))
  }

  async function sync(): Promise<void> {
    cancelRest()
    isAskedAgain = true
    if (isSyncing) return
    isSyncing = true
    try {
      while (isAskedAgain) {
        isAskedAgain = false
        await exchange()
      }
    } catch (error) {
      // It stays in the tab until the server is reached, or something else is written.
      if (!(error instanceof RequestFailedError)) throw error
    } finally {
      isSyncing = false
    }
  }

  async function exchange(): Promise<void> {
    for (let conflicts = 0; conflicts < MOST_CONFLICTS; conflicts += 1) {
      if (there === null) take(await ask(routes.readComposer, routes.readComposer.answers[200], { params }))
      const mine = source.getSnapshot()
      if (there === null || mine === base) return
      const body = { content: contentOf(mine, there.content), version: there.version }
      try {
        there = await ask(routes.writeComposer, routes.writeComposer.answers[200], { params, body })
        base = mine
        set(source.getSnapshot())
        return
      } catch (error) {
        if (!(error instanceof RequestFailedError) || error.code !== 'conflict') throw error
        there = null
      }
    }
  }

  function take(found: Composer): void {
    const theirs = wordsOf(found.content)
    const merged = mergeUnsent({ base, mine: source.getSnapshot(), theirs })
    there = found
    base = theirs
    set(merged)
  }

  return {
    getSnapshot: source.getSnapshot,
    subscribe: source.subscribe,
    write(text) {
      set(text)
      cancelRest()
      // What was sent must not come back in another tab.
      if (text === '') void sync()
      else cancelRest = clock.after(REST_MS, () => void sync())
    },
    refresh() {
      there = null
      void sync()
    },
  }
}

function keptOf(text: string | null): z.infer<typeof Kept> {
  if (text === null) return { text: '', base: '' }
  const json = parsedJson(text)
  const kept = Kept.safeParse(json)
  // What another version kept are words too. [UI23]
  return kept.success ? kept.data : { text: wordsIn(json === undefined ? text : json), base: '' }
}

function wordsOf(content: readonly SentPart[]): string {
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

/** Parts that are not words stay as they are. */
function contentOf(text: string, before: readonly SentPart[]): SentPart[] {
  const others = before.filter(({ type }) => type !== 'text')
  return text === '' ? others : [{ type: 'text', text }, ...others]
}
