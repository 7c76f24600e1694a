import { RequestFailedError } from '@holdfast/client'
import { VOICE_LIMITS } from '@holdfast/protocol'
import { say } from '../shared/language/say.ts'
import { errorText } from '../shared/problem-words.ts'
import { VoiceError } from './speakers.ts'
import { voiceApi } from './voice-here.ts'

/** What is told of what is heard. */
export interface DictationEars {
  /** Words that are certain. */
  readonly onWords: (words: string) => void
  /** Words that may become others; empty for none. */
  readonly onGuess: (words: string) => void
  /**
   * It listens no more: why, in words, or null where its person ended it. A recording of which nothing came is kept, and
   * written down by `again`; null where there is none. [VOICE9]
   */
  readonly onEnd: (problem: string | null, again: (() => void) | null) => void
}

/** A dictation that is under way. */
export interface Dictation {
  /** Takes what was said so far, and ends; while that is written down it ends the writing, and the recording is kept. [VOICE9] */
  finish(): void
  /** Ends at once; what was not written yet is dropped. */
  drop(): void
}

/** Whether this browser can take dictation in this way. */
export function canDictate(engine: 'browser' | 'server'): boolean {
  return engine === 'browser' ? recognitionOf() !== null : 'mediaDevices' in navigator && 'MediaRecorder' in window
}

/** Listens until it is ended. No microphone is opened before. [VOICE7] */
export function startDictation(engine: 'browser' | 'server', ears: DictationEars): Dictation {
  return engine === 'browser' ? byBrowser(ears) : byServer(ears)
}

interface Recognition extends EventTarget {
  lang: string
  continuous: boolean
  interimResults: boolean
  onresult: ((event: RecognitionResults) => void) | null
  onerror: ((event: { readonly error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  stop(): void
  abort(): void
}

interface RecognitionResults {
  readonly resultIndex: number
  readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }> & { readonly isFinal: boolean }>
}

/** Browsers have it under two names, and none of them is in the types of the DOM. */
function recognitionOf(): (new () => Recognition) | null {
  const found: unknown = Reflect.get(window, 'SpeechRecognition') ?? Reflect.get(window, 'webkitSpeechRecognition')
  return isRecognition(found) ? found : null
}

function isRecognition(value: unknown): value is new () => Recognition {
  return typeof value === 'function'
}

function byBrowser({ onWords, onGuess, onEnd }: DictationEars): Dictation {
  const Known = recognitionOf()
  if (Known === null) throw new VoiceError(say('voice.browser-takes-no-dictation'))
  const listening = new Known()
  listening.lang = document.documentElement.lang
  listening.continuous = true
  listening.interimResults = true
  let problem: string | null = null
  listening.onresult = ({ resultIndex, results }) => {
    const heard = Array.from(results).slice(resultIndex)
    const words = (isFinal: boolean) =>
      heard.flatMap((one) => (one.isFinal === isFinal ? [one[0]?.transcript ?? ''] : [])).join('')
    onGuess(words(false))
    if (words(true).trim() !== '') onWords(words(true).trim())
  }
  listening.onerror = ({ error }) => {
    if (error !== 'aborted') problem = recognitionWords(error)
  }
  listening.onend = () => {
    onGuess('')
    onEnd(problem, null)
  }
  listening.start()
  return { finish: () => listening.stop(), drop: () => listening.abort() }
}

function recognitionWords(error: string): string {
  switch (error) {
    case 'not-allowed':
    case 'service-not-allowed':
      return say('voice.microphone-refused')
    case 'audio-capture':
      return say('voice.no-microphone')
    case 'no-speech':
      return say('voice.nothing-heard')
    case 'network':
      return say('voice.browser-service-not-reached')
    default:
      return say('voice.browser-failed', { problem: error })
  }
}

/** The longest recording, in milliseconds. */
const LONGEST_MS = 5 * 60_000
const TYPES = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4', 'audio/webm'] as const

function byServer({ onWords, onEnd }: DictationEars): Dictation {
  const end = new AbortController()
  let stop = (): void => end.abort()

  async function write(recording: Recording): Promise<void> {
    const writing = new AbortController()
    stop = () => writing.abort()
    try {
      const words = await voiceApi.transcribe(recording, AbortSignal.any([end.signal, writing.signal]))
      if (words !== '') onWords(words)
      onEnd(words === '' ? say('voice.nothing-heard') : null, null)
    } catch (error) {
      if (end.signal.aborted) return onEnd(null, null)
      const problem = writing.signal.aborted ? say('voice.not-written-down') : problemOf(error)
      onEnd(problem, () => void write(recording))
    }
  }

  async function listen(): Promise<void> {
    try {
      const recording = await record(end.signal, (finish) => {
        stop = finish
      })
      if (recording === null || end.signal.aborted) onEnd(null, null)
      else await write(recording)
    } catch (error) {
      onEnd(end.signal.aborted ? null : problemOf(error), null)
    }
  }

  void listen()
  return { finish: () => stop(), drop: () => end.abort() }
}

function problemOf(error: unknown): string {
  if (error instanceof VoiceError) return error.message
  if (error instanceof RequestFailedError) return errorText(error)
  throw error
}

/** What was said, and for how long. */
type Recording = NonNullable<Awaited<ReturnType<typeof record>>>

/** Records until it is told to finish. @returns null where nothing was recorded. @throws {VoiceError} */
async function record(signal: AbortSignal, onRecording: (finish: () => void) => void) {
  const stream = await microphone()
  try {
    if (signal.aborted) return null
    const type = TYPES.find((one) => MediaRecorder.isTypeSupported(one))
    const recorder = new MediaRecorder(stream, type === undefined ? {} : { mimeType: type })
    const pieces: Blob[] = []
    const startedAt = performance.now()
    await new Promise<void>((resolve) => {
      const finish = (): void => {
        if (recorder.state !== 'inactive') recorder.stop()
      }
      const timer = setTimeout(finish, LONGEST_MS)
      recorder.ondataavailable = ({ data }) => pieces.push(data)
      recorder.onstop = () => {
        clearTimeout(timer)
        resolve()
      }
      signal.addEventListener('abort', finish, { once: true })
      onRecording(finish)
      recorder.start()
    })
    const audio = new Blob(pieces, { type: recorder.mimeType })
    if (audio.size > VOICE_LIMITS.audioBytes) throw new VoiceError(say('voice.recording-is-too-long'))
    const language = document.documentElement.lang.split('-')[0] ?? 'en'
    return audio.size === 0 ? null : { audio, seconds: (performance.now() - startedAt) / 1_000, language }
  } finally {
    for (const track of stream.getTracks()) track.stop()
  }
}

async function microphone(): Promise<MediaStream> {
  try {
    return await navigator.mediaDevices.getUserMedia({ audio: true })
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    if (error.name === 'NotAllowedError' || error.name === 'SecurityError')
      throw new VoiceError(say('voice.microphone-refused'))
    if (error.name === 'NotFoundError') throw new VoiceError(say('voice.no-microphone'))
    throw new VoiceError(say('voice.microphone-failed', { problem: error.message }))
  }
}
