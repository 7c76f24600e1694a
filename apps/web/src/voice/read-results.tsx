import type { Client } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { DEFAULT_AGENT } from '@holdfast/conversation'
import { useEffect, useState } from 'react'
import { answerOf } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { tellProblem } from '../shared/toasts/toasts.ts'
import { readAloud, reading, stopReading } from './reading.ts'
import { useVoiceOf, voiceApi } from './voice-here.ts'

/** Something that ended while its person was away. */
export interface Result {
  readonly conversationId: string | null
  readonly title: string
}

interface ReadResultsProps {
  readonly client: Client
  /** Names what is read. */
  readonly name: string
  /** What is said first; null for nothing. */
  readonly lead: string | null
  readonly results: readonly Result[]
  readonly className: string
}

/** So many results are read at a time. */
const MOST = 10

/** Has results read aloud: what each is called, and what was answered last in its conversation. Nothing where voice is off. [VOICE8] */
export function ReadResults({ client, name, lead, results, className }: ReadResultsProps) {
  const [isAsking, setAsking] = useState(false)
  const key = `results/${name}`
  const isRead = useObservable(reading, (now) => now.key === key)
  const problem = useObservable(reading, (now) => now.problem)
  const [wasPressed, setPressed] = useState(false)
  const first = results[0]?.conversationId ?? null
  const agentId = useObservable(
    client.conversations,
    ({ rows }) => rows.find(({ id }) => id === first)?.agentId ?? null,
  )
  const agent = useObservable(client.agents, ({ value }) =>
    value?.agents.find(({ id }) => id === (agentId ?? DEFAULT_AGENT.agentId)),
  )
  const voice = useVoiceOf(agent)
  useEffect(
    () => () => {
      if (reading.getSnapshot().key === key) stopReading()
    },
    [key],
  )
  if (voice.aloud === 'off') return null

  async function read(): Promise<void> {
    setPressed(true)
    setAsking(true)
    const some = results.slice(0, MOST)
    const replies = await answerOf(
      Promise.all(
        some.map(async ({ conversationId }) => (conversationId === null ? '' : voiceApi.lastReply(conversationId))),
      ),
    )
    setAsking(false)
    if (replies.type === 'failed') return tellProblem(replies.problem)
    const texts = [
      ...(lead === null ? [] : [lead]),
      ...some.flatMap(({ title }, index) => [`${title}.`, replies.value[index] ?? '']),
    ]
    readAloud({ key, now: () => ({ texts, isComplete: true }), subscribe: () => () => {} }, voice)
  }

  return (
    <>
      <button
        type="button"
        className={className}
        data-testid="read-results"
        aria-pressed={isRead}
        aria-disabled={isAsking}
        onClick={() => (isRead ? stopReading() : isAsking ? undefined : void read())}
      >
        {say(isRead ? 'voice.stop-reading' : 'voice.read-aloud')}
      </button>
      {wasPressed && !isRead && problem !== null && (
        <span className="problem" role="alert">
          {problem}
        </span>
      )}
    </>
  )
}
