import type { ConversationStore } from '@holdfast/client'
import type { PendingPermission, PendingQuestion } from '@holdfast/conversation'
import { useEffect, useState } from 'react'
import { say } from '../shared/language/say.ts'
import { wordsOf } from '../thread/thread-parts.ts'
import { objectOf, shortName } from '../tools/call-words.ts'

/** Tells a screen reader that a reply starts and how it ended, and nothing in between. */
export function Announcer({ store }: { readonly store: ConversationStore | null }) {
  const [words, setWords] = useState('')
  const [urgent, setUrgent] = useState('')
  useEffect(() => {
    if (!store) return
    let known = store.getSnapshot()
    return store.subscribe(() => {
      const state = store.getSnapshot()
      const before = known
      known = state
      if (!before.caughtUp) return
      const was = before.overview.runState.exclusive
      const is = state.overview.runState.exclusive
      if (is && is.runId !== was?.runId) setWords(say('page.reply-started'))
      const asked = state.overview.pendingPermissions
      if (asked !== before.overview.pendingPermissions) setUrgent(permissionWords(asked))
      const questions = state.overview.pendingQuestions
      if (questions !== before.overview.pendingQuestions) setUrgent(questionWords(questions))
      if (is?.stopRequestedAt != null && was?.stopRequestedAt == null) setWords(say('page.stopping'))
      const { lastTurn } = state.overview.runState
      if (!is && lastTurn && lastTurn !== before.overview.runState.lastTurn) {
        const last = state.window.items.findLast(({ runId, role }) => runId === lastTurn.runId && role === 'assistant')
        setWords(endWords(lastTurn.outcome, last ? wordsOf(last.parts) : ''))
      }
    })
  }, [store])
  return (
    <div className="visually-hidden">
      <div aria-live="polite" data-testid="announcer">
        {words}
      </div>
      <div aria-live="assertive" data-testid="announcer-urgent">
        {urgent}
      </div>
    </div>
  )
}

function permissionWords(pending: readonly PendingPermission[]): string {
  const [first] = pending
  if (!first) return ''
  const what = [shortName(first.tool), objectOf(first.input)].filter((word) => word).join(' ')
  return say('page.permission-needed', { what, count: pending.length })
}

function questionWords([first]: readonly PendingQuestion[]): string {
  return first ? say('questions.asks-you-aloud', { source: first.source, message: first.message }) : ''
}

function endWords(outcome: 'completed' | 'stopped' | 'failed' | 'interrupted' | 'limit', text: string): string {
  const count = text.match(/\S+/gu)?.length ?? 0
  switch (outcome) {
    case 'completed':
      return say('page.reply-finished', { count })
    case 'stopped':
      return say('page.stopped')
    case 'failed':
      return say('page.the-reply-failed')
    case 'interrupted':
      return say('page.the-reply-was-interrupted')
    case 'limit':
      return say('page.the-reply-reached-a-limit')
  }
}
