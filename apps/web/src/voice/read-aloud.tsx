import { createSource, tellAtOnce } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import type { AgentVoice } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { readAloud, reading, stopReading } from './reading.ts'
import { replyKey, wholeSource } from './reply-source.ts'

/** How the agent of the conversation that is shown is heard; null where nothing is read. */
export const heardHere = createSource<AgentVoice | null>(null, tellAtOnce)

/** Has a reply read aloud, or ends that; nothing where its agent is not heard. [VOICE5] */
export function ReadReply({ runId, words }: { readonly runId: string; readonly words: string }) {
  const voice = useObservable(heardHere, (known) => known)
  if (voice === null || voice.aloud === 'off' || words === '') return null
  return <ReadAloud name={replyKey(runId)} words={words} voice={voice} className="link-button" />
}

/** Has a text read aloud, or ends that. */
export function ReadAloud(props: {
  readonly name: string
  readonly words: string
  readonly voice: AgentVoice
  readonly className: string
}) {
  const { name, words, voice, className } = props
  const isRead = useObservable(reading, ({ key }) => key === name)
  return (
    <button
      type="button"
      className={className}
      data-testid="read-aloud"
      aria-pressed={isRead}
      onClick={() => (isRead ? stopReading() : readAloud(wholeSource(name, words), voice))}
    >
      {say(isRead ? 'voice.stop-reading' : 'voice.read-aloud')}
    </button>
  )
}
