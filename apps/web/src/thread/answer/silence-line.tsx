import type { Client, ConversationStore } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { OpenRun } from '@holdfast/conversation'
import { useEffect, useState } from 'react'
import { Glyph } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'
import { useSecondsSince, useTick } from '../../shared/use-seconds.ts'

/** From so many seconds on a silence is told: models that answer have begun by then. */
const TOLD_FROM_SECONDS = 8

interface SilenceLineProps {
  readonly store: ConversationStore
  readonly models: Client['models']
  readonly run: OpenRun
  /** Whether nothing of the answer is here yet. */
  readonly isEmpty: boolean
}

/**
 * What an open answer waits for: the model at first, and after some seconds of silence by name who says nothing, for how
 * long, and how long that may last. [UI37]
 */
export function SilenceLine({ store, models, run, isEmpty }: SilenceLineProps) {
  const words = useSilence({ store, models, run, isEmpty })
  const since = useSecondsSince(run.startedAt)
  if (run.phase === 'stopping') return isEmpty ? <Line words={say('answer.stopping')} /> : null
  if (words !== null) return <Line words={words} />
  return isEmpty ? <Line words={say('answer.waiting-for-model', { seconds: since })} /> : null
}

function Line({ words }: { readonly words: string }) {
  return (
    <p className="starting" data-testid="silence">
      <Glyph name="running" lively />
      {words}
    </p>
  )
}

/** What is said of a silence; null while it is none. It is counted here, from the last event that came. */
function useSilence({ store, models, run, isEmpty }: SilenceLineProps): string | null {
  const { openStep } = run
  const name = useObservable(
    models,
    ({ value }) => value?.providers.find(({ id }) => id === openStep?.providerId)?.name,
  )
  const limits = useObservable(models, ({ value }) => value?.silence)
  const heardAt = useHeardAt(store)
  const seconds = Math.floor((useTick(true) - heardAt()) / 1_000)
  if (openStep === null || limits === undefined || seconds < TOLD_FROM_SECONDS) return null
  const provider = name ?? openStep.providerId
  const limit = Math.round((isEmpty ? limits.firstEventMs : limits.betweenEventsMs) / 1_000)
  return say(isEmpty ? 'answer.nothing-from' : 'answer.silent-for', { provider, seconds, limit })
}

/** When something of the conversation came last, in milliseconds since the Unix epoch. Nothing is drawn for it. */
function useHeardAt(store: ConversationStore): () => number {
  const [heard] = useState(() => ({ at: Date.now() }))
  useEffect(() => {
    let { draft, overview } = store.getSnapshot()
    return store.subscribe(() => {
      const next = store.getSnapshot()
      if (next.draft === draft && next.overview === overview) return
      draft = next.draft
      overview = next.overview
      heard.at = Date.now()
    })
  }, [store, heard])
  return () => heard.at
}
