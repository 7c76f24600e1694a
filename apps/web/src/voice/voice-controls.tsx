import type { Client, ConversationStore } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { DEFAULT_AGENT } from '@holdfast/conversation'
import type { AgentVoice } from '@holdfast/protocol'
import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { say } from '../shared/language/say.ts'
import { Microphone } from './microphone.tsx'
import { heardHere } from './read-aloud.tsx'
import { chooseSpeed, chosenSpeed, pauseReading, readAloud, reading, stopReading } from './reading.ts'
import { replyKey, replySource } from './reply-source.ts'
import { useReadingEnds } from './use-reading-ends.ts'
import { useVoiceOf } from './voice-here.ts'
import { VoiceSign } from './voice-signs.tsx'

/** Where it is. */
export interface VoiceControlsProps {
  readonly client: Client
  /** Null where no conversation has begun. */
  readonly store: ConversationStore | null
  /** Null for the usual one. */
  readonly agentId: string | null
}

/** What is heard now and can be heard, above the message field, and the microphone in it. Nothing of it where the agent has no voice. [VOICE1] */
export function VoiceControls({ client, store, agentId }: VoiceControlsProps) {
  const agent = useObservable(client.agents, ({ value }) =>
    value?.agents.find(({ id }) => id === (agentId ?? DEFAULT_AGENT.agentId)),
  )
  const voice = useVoiceOf(agent)
  useEffect(() => {
    heardHere.set(voice)
    return () => heardHere.set(null)
  }, [voice])
  const [controls, setControls] = useState<Element | null>(null)
  useEffect(() => setControls(document.querySelector('.composer-controls')), [])
  return (
    <>
      {store !== null && <HeardReply store={store} voice={voice} />}
      {voice.aloud !== 'off' && <ReadingLine voice={voice} />}
      {voice.dictation !== 'off' &&
        controls !== null &&
        createPortal(<Microphone engine={voice.dictation} />, controls)}
    </>
  )
}

/** The run whose reply began by itself last: a line that broke, or who comes back to the page, does not have it read once more. */
let begunByItself: string | null = null

/** The reply that is being written: read as it comes, by itself or on request. Stop, another message and leaving end it. */
function HeardReply({ store, voice }: { readonly store: ConversationStore; readonly voice: AgentVoice }) {
  const openRun = useObservable(store, ({ overview, caughtUp }) => {
    const run = overview.runState.exclusive
    return caughtUp && run?.purpose === 'turn' && run.stopRequestedAt === null ? run.runId : null
  })
  const readKey = useObservable(reading, ({ key }) => key)
  useReadingEnds(store)
  const isByItself = voice.aloud !== 'off' && voice.byItself
  // What is read goes on as it began, also where the list of agents is read anew.
  const chosen = useRef(voice)
  useEffect(() => {
    chosen.current = voice
  }, [voice])
  useEffect(() => {
    if (!isByItself || openRun === null || openRun === begunByItself || document.visibilityState !== 'visible') return
    begunByItself = openRun
    readAloud(replySource(store, openRun), chosen.current)
  }, [isByItself, openRun, store])
  if (voice.aloud === 'off' || openRun === null || readKey === replyKey(openRun)) return null
  return (
    <p className="voice-line">
      <button type="button" className="link-button" onClick={() => readAloud(replySource(store, openRun), voice)}>
        {say('voice.read-as-it-comes')}
      </button>
    </p>
  )
}

const SPEEDS = [0.75, 1, 1.25, 1.5, 1.75, 2] as const

/** What is being read, with what rests it, ends it and makes it faster; and why it could not be read. */
function ReadingLine({ voice }: { readonly voice: AgentVoice }) {
  const { key, isPaused, isWaiting, problem } = useObservable(reading, (now) => now)
  const [speed, setSpeed] = useState(() => chosenSpeed() ?? voice.speed)
  if (problem !== null)
    return (
      <p className="voice-line problem" role="alert">
        <span>{problem}</span>
        <button type="button" className="link-button" onClick={stopReading}>
          {say('common.dismiss')}
        </button>
      </p>
    )
  if (key === null) return null
  return (
    <section className="voice-line" aria-label={say('voice.reading-aloud')} data-testid="reading">
      <VoiceSign name="speaker" />
      <span role="status">
        {say(isPaused ? 'voice.paused' : isWaiting ? 'voice.waits-for-sound' : 'voice.reading-aloud')}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={say(isPaused ? 'voice.go-on' : 'voice.pause')}
        onClick={pauseReading}
      >
        <VoiceSign name={isPaused ? 'play' : 'pause'} />
      </button>
      <button type="button" className="icon-button" aria-label={say('voice.stop-reading')} onClick={stopReading}>
        <VoiceSign name="silent" />
      </button>
      <label className="voice-speed">
        <span>{say('voice.speed')}</span>
        <select
          className="picker"
          value={speed}
          onChange={({ target }) => {
            chooseSpeed(Number(target.value))
            setSpeed(Number(target.value))
          }}
        >
          {[...new Set([...SPEEDS, speed])]
            .toSorted((one, other) => one - other)
            .map((one) => (
              <option key={one} value={one}>
                {say('voice.times', { speed: one })}
              </option>
            ))}
        </select>
      </label>
    </section>
  )
}
