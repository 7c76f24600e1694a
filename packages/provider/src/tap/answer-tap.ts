import { createEventStreamParser, EventTooLargeError, type ServerSentEvent } from '../http/event-stream.ts'
import type { RequestUsage } from '../model-port.ts'
import { asRecord, parseJson } from '../wire/json-reader.ts'
import type { HeardAnswer, WireForm } from './heard-answer.ts'
import { readPart } from './read-part.ts'

/** Hears what an answer says of itself while its bytes go by unchanged. It never throws: what it cannot read is not heard. */
export interface AnswerTap {
  push(bytes: Uint8Array): void
  /** What was heard, at the end of the bytes, whoever ended them. */
  end(): HeardAnswer
}

/** So many bytes of an answer that is no stream are kept to be read, and so many characters of one event. */
const MOST_BYTES = 64 * 1024 * 1024

/** Listens to an answer of one form; `isStream` where it comes as events. */
export function createAnswerTap({
  form,
  isStream,
}: {
  readonly form: WireForm
  readonly isStream: boolean
}): AnswerTap {
  const heard = createHeard(form)
  return isStream ? tapEvents(heard) : tapWhole(heard)
}

interface Heard {
  add(text: string): void
  answer(): HeardAnswer
}

function createHeard(form: WireForm): Heard {
  const words: string[] = []
  let usage: RequestUsage | null = null
  let ended = false
  let error: string | null = null

  function addValue(value: unknown): void {
    const record = asRecord(value)
    if (record === null) return
    const part = readPart(form, record, usage)
    for (const word of part.words ?? []) words.push(word)
    usage = part.usage ?? usage
    ended ||= part.ended === true
    error = part.error ?? error
  }

  return {
    add(text) {
      const value = parseJson(text)
      // Gemini's stream without events is one list.
      for (const one of Array.isArray(value) ? value : [value]) addValue(one)
    },
    answer: () => ({ usage, words, ended, error }),
  }
}

function tapEvents(heard: Heard): AnswerTap {
  const parser = createEventStreamParser({ limit: MOST_BYTES })
  let isLost = false

  function read(events: () => readonly ServerSentEvent[]): void {
    if (isLost) return
    try {
      for (const { data } of events()) heard.add(data)
    } catch (error) {
      if (!(error instanceof EventTooLargeError)) throw error
      isLost = true
    }
  }

  return {
    push: (bytes) => read(() => parser.push(bytes)),
    end() {
      read(() => {
        const rest = parser.end()
        return rest === null ? [] : [rest]
      })
      return heard.answer()
    },
  }
}

function tapWhole(heard: Heard): AnswerTap {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  return {
    push(bytes) {
      sizeBytes += bytes.length
      if (sizeBytes <= MOST_BYTES) chunks.push(bytes)
    },
    end() {
      if (sizeBytes <= MOST_BYTES) heard.add(Buffer.concat(chunks).toString('utf8'))
      return heard.answer()
    },
  }
}
