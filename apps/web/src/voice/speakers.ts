import { RequestFailedError } from '@holdfast/client'
import { say } from '../shared/language/say.ts'
import { errorText } from '../shared/problem-words.ts'
import { voiceApi } from './voice-here.ts'

/** How it is said. */
export interface Manner {
  /** By the name that the engine has for it; null for its usual one. */
  readonly voice: string | null
  readonly speed: number
}

/** Something that could not be said or heard, in words for people. */
export class VoiceError extends Error {
  override readonly name = 'VoiceError'
}

/** Says sentences one after the other. It is silent as soon as a signal fires. [VOICE5] */
export interface Speaker {
  /** Gets ready what is said next, while something else is being said. What says it tells when it begins to be heard. */
  prepare(words: string, manner: Manner, signal: AbortSignal): (onHeard: () => void) => Promise<void>
  pause(): void
  goOn(): void
}

/** Browsers say which voices they have a while after they were asked at first; longer than this none comes, in milliseconds. */
const VOICES_MS = 1_500

/** Speaks by the browser's own engine. @throws {VoiceError} where it has no voice. */
export async function browserSpeaker(): Promise<Speaker> {
  if (!('speechSynthesis' in window)) throw new VoiceError(say('voice.browser-cannot-read-aloud'))
  const voices = await browserVoices()
  if (voices.length === 0) throw new VoiceError(say('voice.browser-has-no-voices'))
  return {
    prepare:
      (words, { voice, speed }, signal) =>
      (onHeard) =>
        new Promise<void>((resolve, reject) => {
          signal.throwIfAborted()
          const utterance = new SpeechSynthesisUtterance(words)
          const chosen = voices.find(({ name }) => name === voice)
          if (chosen) utterance.voice = chosen
          utterance.lang = chosen?.lang ?? document.documentElement.lang
          utterance.rate = speed
          utterance.onstart = onHeard
          const silence = (): void => {
            speechSynthesis.cancel()
            reject(signal.reason)
          }
          signal.addEventListener('abort', silence, { once: true })
          const end = (): void => signal.removeEventListener('abort', silence)
          utterance.onend = () => {
            end()
            resolve()
          }
          utterance.onerror = ({ error }) => {
            end()
            reject(new VoiceError(say('voice.browser-failed', { problem: error })))
          }
          speechSynthesis.speak(utterance)
        }),
    pause: () => speechSynthesis.pause(),
    goOn: () => speechSynthesis.resume(),
  }
}

/** The voices of this browser, once it knows them. */
export async function browserVoices(): Promise<readonly SpeechSynthesisVoice[]> {
  if (!('speechSynthesis' in window)) return []
  const known = speechSynthesis.getVoices()
  if (known.length > 0) return known
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, VOICES_MS)
    speechSynthesis.addEventListener(
      'voiceschanged',
      () => {
        clearTimeout(timer)
        resolve()
      },
      { once: true },
    )
  })
  return speechSynthesis.getVoices()
}

/** Speaks by the audio server: each sentence is a sound of its own, and the next is fetched while one is heard. */
export function serverSpeaker(): Speaker {
  const context = new AudioContext()
  return {
    prepare(words, { voice, speed }, signal) {
      const sound = soundOf({ context, words, voice, speed, signal })
      // Whoever plays it is told why it failed; before that nobody waits for it.
      sound.catch(() => null)
      return async (onHeard) => {
        const whole = await sound
        const end = playSound(context, whole, signal)
        onHeard()
        await end
      }
    },
    pause: () => void context.suspend(),
    goOn: () => void context.resume(),
  }
}

async function soundOf({
  context,
  words,
  voice,
  speed,
  signal,
}: Manner & {
  readonly context: AudioContext
  readonly words: string
  readonly signal: AbortSignal
}): Promise<AudioBuffer> {
  try {
    const bytes = await voiceApi.speak({ text: words, ...(voice === null ? {} : { voice }), speed }, signal)
    return await context.decodeAudioData(bytes)
  } catch (error) {
    if (signal.aborted) throw signal.reason
    if (error instanceof RequestFailedError) throw new VoiceError(errorText(error))
    if (error instanceof DOMException) throw new VoiceError(say('voice.not-a-sound'))
    throw error
  }
}

function playSound(context: AudioContext, sound: AudioBuffer, signal: AbortSignal): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    signal.throwIfAborted()
    if (context.state === 'suspended' && !navigator.userActivation.hasBeenActive)
      return reject(new VoiceError(say('voice.needs-a-press')))
    const source = context.createBufferSource()
    source.buffer = sound
    source.connect(context.destination)
    const silence = (): void => {
      source.onended = null
      source.stop()
      source.disconnect()
      reject(signal.reason)
    }
    signal.addEventListener('abort', silence, { once: true })
    source.onended = () => {
      signal.removeEventListener('abort', silence)
      resolve()
    }
    source.start()
  })
}
