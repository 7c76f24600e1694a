import { createSource, createVoiceApi, tellAtOnce } from '@holdfast/client'
import { useObservable } from '@holdfast/client/react'
import { type AgentRow, type AgentVoice, NO_VOICE, type VoiceAnswer } from '@holdfast/protocol'
import { useEffect } from 'react'
import { BASE_PATH } from '../shared/address.ts'
import { answerOf } from '../shared/ask-server.ts'
import { pageKey } from '../shared/page-key.ts'

/** The way to what the server says and does about voice. */
export const voiceApi = createVoiceApi({ url: location.origin + BASE_PATH, pageKey })

/** How voice is set up in the installation, as it was read last; null before that. */
export const voiceSetup = createSource<VoiceAnswer | null>(null, tellAtOnce)

let reading: Promise<void> | null = null

/** Reads how voice is set up. What cannot be read is off: nothing is read aloud by mistake. */
export function loadVoice(): Promise<void> {
  reading ??= answerOf(voiceApi.read())
    .then(({ value }) => {
      if (value !== null) voiceSetup.set(value)
    })
    .finally(() => {
      reading = null
    })
  return reading
}

/** How the agent that answers is heard, and how it hears: as its row says, else as the installation does. [VOICE1] */
export function useVoiceOf(agent: Pick<AgentRow, 'voice'> | null | undefined): AgentVoice {
  const setup = useObservable(voiceSetup, (known) => known)
  useEffect(() => {
    if (voiceSetup.getSnapshot() === null) void loadVoice()
  }, [])
  return agent?.voice ?? setup?.usual ?? NO_VOICE
}
