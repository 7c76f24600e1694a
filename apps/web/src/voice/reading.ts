import { createSource, tellAtOnce } from '@holdfast/client'
import type { AgentVoice } from '@holdfast/protocol'
import * as z from 'zod'
import { browserSpeaker, type Manner, type Speaker, serverSpeaker, VoiceError } from './speakers.ts'
import { sayingsOf } from './spoken-text.ts'

/** What is read aloud: texts, one behind the other, the last of which may still grow. */
export interface ReadText {
  readonly texts: readonly string[]
  readonly isComplete: boolean
}

/** Where what is read comes from. */
export interface ReadSource {
  /** Names it: a reply, a result. */
  readonly key: string
  readonly now: () => ReadText
  /** Calls when there is more. @returns what ends that. */
  readonly subscribe: (listener: () => void) => () => void
}

/** What is heard in this tab now; one thing at a time. */
export interface Reading {
  /** Null while nothing is read. */
  readonly key: string | null
  readonly isPaused: boolean
  /** Whether nothing is heard yet of what is to be read next. [VOICE12] */
  readonly isWaiting: boolean
  /** Why it ended, in words; null where nothing went wrong. */
  readonly problem: string | null
}

const SILENT: Reading = { key: null, isPaused: false, isWaiting: false, problem: null }

/** What is read aloud in this tab. */
export const reading = createSource<Reading>(SILENT, tellAtOnce)

/** Tells the other tabs of this browser what begins here, and hears what begins there. */
const tabs = new BroadcastChannel('holdfast.reading')
const tab = crypto.getRandomValues(new Uint32Array(1))[0] ?? 0
/** When what is read here began; with the number of the tab it says which of two that begin at once goes on. */
let beganAt = 0

tabs.onmessage = ({ data }: MessageEvent<unknown>) => {
  const said = Began.safeParse(data)
  if (!said.success || reading.getSnapshot().key === null) return
  const { at, from } = said.data
  if (at > beganAt || (at === beganAt && from > tab)) stopReading()
}

// Before all others, wherever something is read: what is silenced by it does not stop the turn as well. [VOICE10]
addEventListener(
  'keydown',
  (event) => {
    if (event.key !== 'Escape' || event.isComposing || reading.getSnapshot().key === null) return
    if (document.querySelector('dialog[open], :popover-open') !== null) return
    event.preventDefault()
    stopReading()
  },
  { capture: true },
)

const Began = z.object({ at: z.number(), from: z.number() })

let ending: AbortController | null = null
let speaker: Speaker | null = null

/** Reads something aloud, from its beginning; what was read before ends, in the other tabs of this browser too. [VOICE5, VOICE11] */
export function readAloud(source: ReadSource, voice: AgentVoice): void {
  stopReading()
  const end = new AbortController()
  ending = end
  beganAt = Date.now()
  tabs.postMessage({ at: beganAt, from: tab })
  reading.set({ ...SILENT, key: source.key, isWaiting: true })
  void readAll(source, voice, end.signal).then(
    () => finish(end, null),
    (error: unknown) => {
      if (end.signal.aborted) return
      if (!(error instanceof VoiceError)) throw error
      finish(end, error.message)
    },
  )
}

/** Is silent at once. */
export function stopReading(): void {
  ending?.abort(new DOMException('Nothing is read any more', 'AbortError'))
  ending = null
  speaker?.goOn()
  reading.set(SILENT)
}

/** Rests, or goes on where it rested. */
export function pauseReading(): void {
  const now = reading.getSnapshot()
  if (now.key === null) return
  if (now.isPaused) speaker?.goOn()
  else speaker?.pause()
  reading.set({ ...now, isPaused: !now.isPaused })
}

const SPEED_KEY = 'holdfast.voice-speed'

/** How fast this browser is read to, where its person chose; null for what the agent says. */
export function chosenSpeed(): number | null {
  const kept = Number(localStorage.getItem(SPEED_KEY))
  return kept > 0 ? kept : null
}

/** Holds from the next sentence on. */
export function chooseSpeed(speed: number): void {
  localStorage.setItem(SPEED_KEY, String(speed))
}

function finish(end: AbortController, problem: string | null): void {
  if (ending !== end) return
  ending = null
  reading.set({ ...SILENT, problem })
}

/** So many sentences are on their way while one is heard. */
const AHEAD = 2

async function readAll(source: ReadSource, voice: AgentVoice, signal: AbortSignal): Promise<void> {
  speaker = voice.aloud === 'server' ? audioSpeaker() : await browserSpeaker()
  signal.throwIfAborted()
  const own = speaker
  const failed = Promise.withResolvers<never>()
  // Whoever waits below is told; where nobody waits, the end of the queue is.
  failed.promise.catch(() => null)
  signal.addEventListener('abort', () => failed.reject(signal.reason), { once: true })
  const heard: Promise<void>[] = []
  const more = createBell(source)
  try {
    for await (const words of sentencesOf(source, () => Promise.race([more.ring(), failed.promise]))) {
      const play = own.prepare(words, mannerOf(voice), signal)
      const turn = (heard.at(-1) ?? Promise.resolve()).then(() => {
        setWaiting(true, signal)
        return play(() => setWaiting(false, signal))
      })
      turn.catch(failed.reject)
      heard.push(turn)
      if (heard.length > AHEAD) await Promise.race([heard.at(-1 - AHEAD), failed.promise])
    }
    await heard.at(-1)
  } finally {
    more.end()
  }
}

function setWaiting(isWaiting: boolean, { aborted }: AbortSignal): void {
  if (!aborted) reading.set({ ...reading.getSnapshot(), isWaiting })
}

/** The one of this tab: a browser allows few at a time. */
let audio: Speaker | null = null

function audioSpeaker(): Speaker {
  audio ??= serverSpeaker()
  return audio
}

function mannerOf({ voice, speed }: AgentVoice): Manner {
  return { voice, speed: chosenSpeed() ?? speed }
}

/** Tells that a source has changed since it was asked last, also where that was while nobody waited. */
function createBell({ subscribe }: ReadSource): { ring(): Promise<void>; end(): void } {
  let rung = Promise.withResolvers<void>()
  const end = subscribe(() => rung.resolve())
  return {
    end,
    async ring() {
      await rung.promise
      rung = Promise.withResolvers()
    },
  }
}

/** Everything that is to be said of a source, as it comes. */
async function* sentencesOf(source: ReadSource, untilMore: () => Promise<void>): AsyncGenerator<string> {
  for (let block = 0, at = 0; ; ) {
    const { texts, isComplete } = source.now()
    const text = texts[block]
    const isBlockComplete = text !== undefined && (isComplete || block < texts.length - 1)
    for (const { words, end } of text === undefined ? [] : sayingsOf(text, at, isBlockComplete)) {
      at = end
      yield words
    }
    if (isBlockComplete) {
      block += 1
      at = 0
    } else if (isComplete) return
    else await untilMore()
  }
}
