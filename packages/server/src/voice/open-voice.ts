import type { BodyOf, routes } from '@holdfast/protocol'
import { RefusedError } from '../parts/to-problem.ts'
import {
  type AskHttp,
  type SpeechWish,
  type Spoken,
  speakBy,
  type TranscriptionWish,
  transcribeBy,
} from './audio-server.ts'
import { createVoiceMeter, type VoiceUse } from './voice-meter.ts'
import { type AudioServerSetup, createVoiceSetup, type VoiceSetup, type VoiceSetupDeps } from './voice-setup.ts'

/** Reading aloud and dictation by the audio server of the installation. [VOICE2] */
export interface Voice extends Omit<VoiceSetup, 'server'> {
  /** The sound of a text. @throws {RefusedError} */
  speak(userId: string, wish: SpeechWish & { readonly signal: AbortSignal }): Promise<Spoken>
  /** The words of a recording. @throws {RefusedError} */
  transcribe(
    userId: string,
    wish: TranscriptionWish & { readonly seconds: number | null; readonly signal: AbortSignal },
  ): Promise<string>
  /** What a person's use of the audio server took, the newest day first. */
  days(userId: string): Promise<BodyOf<typeof routes.readVoiceUsage, 200>['days']>
}

/** What it works with. */
export interface VoiceDeps extends VoiceSetupDeps {
  readonly records: Parameters<typeof createVoiceMeter>[0]['records']
  readonly ask: AskHttp
}

/** Puts setup, limits and the audio server together. */
export function openVoice(deps: VoiceDeps): Voice {
  const { server: readServer, ...setup } = createVoiceSetup(deps)
  const meter = createVoiceMeter(deps)

  async function server(): Promise<AudioServerSetup> {
    const found = await readServer()
    if (found) return found
    throw new RefusedError(409, 'no-voice', 'This installation has no audio server; an admin sets one up')
  }

  /** Counts what was used also where it fails, and where nobody listens any more. */
  async function measured<Value>(
    userId: string,
    work: (server: AudioServerSetup) => Promise<{ readonly value: Value; readonly use: VoiceUse }>,
  ): Promise<Value> {
    const leave = await meter.enter(userId)
    try {
      const { value, use } = await work(await server())
      await meter.count(userId, use)
      return value
    } catch (error) {
      if (error instanceof RefusedError && error.code === 'voice-failed') await meter.count(userId, { type: 'failed' })
      throw error
    } finally {
      leave()
    }
  }

  return {
    ...setup,
    speak: (userId, { text, ...wish }) =>
      measured(userId, async (found) => {
        const value = await speakBy(deps.ask, found, { text, ...wish })
        const characters = [...text].length
        const price = found.usdPerMillionCharacters
        const costUsd = price === null ? null : (characters * price) / 1_000_000
        return { value, use: { type: 'spoken', characters, costUsd } }
      }),
    transcribe: (userId, { seconds, ...wish }) =>
      measured(userId, async (found) => {
        const value = await transcribeBy(deps.ask, found, wish)
        const price = found.usdPerMinute
        const costUsd = price === null || seconds === null ? null : (seconds / 60) * price
        return { value, use: { type: 'heard', seconds, costUsd } }
      }),
    days: async (userId) => [...(await meter.days(userId))],
  }
}
