import { type BodyOf, ownRoutes, type VoiceAnswer } from '@holdfast/protocol'
import * as z from 'zod'
import { addressOf, notReached, toFailure } from '../link/http-answer.ts'
import { createHttpApi } from '../link/http-api.ts'
import { headersOf, type ServerAddress } from '../link/web-socket-transport.ts'

/** Reading aloud and dictation by the audio server of an installation. Everything throws {RequestFailedError} when it is refused. */
export interface VoiceApi {
  read(): Promise<VoiceAnswer>
  change(change: z.input<(typeof ownRoutes)['changeVoice']['body']>): Promise<VoiceAnswer>
  /** The sound of a text. It ends with the reason of the signal. */
  speak(wish: z.input<(typeof ownRoutes)['speak']['body']>, signal: AbortSignal): Promise<ArrayBuffer>
  /** The words of a recording. `seconds`: how long it is. */
  transcribe(recording: Recording, signal: AbortSignal): Promise<string>
  /** What was answered last in a conversation; empty where nothing was. */
  lastReply(conversationId: string): Promise<string>
  /** What a person's use of it took, the newest day first. */
  usage(): Promise<BodyOf<typeof ownRoutes.readVoiceUsage, 200>['days']>
}

/** What was recorded. */
export interface Recording {
  readonly audio: Blob
  readonly seconds: number
  /** Such as `en`. */
  readonly language: string
}

/** Makes the way to it. */
export function createVoiceApi(address: ServerAddress): VoiceApi {
  const ask = createHttpApi(address)
  return {
    read: () => ask(ownRoutes.readVoice, ownRoutes.readVoice.answers[200], {}),
    change: (body) => ask(ownRoutes.changeVoice, ownRoutes.changeVoice.answers[200], { body }),
    async speak(wish, signal) {
      const headers = { ...headersOf(address), 'content-type': 'application/json' }
      const url = addressOf(address.url, ownRoutes.speak.path, {})
      try {
        const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(wish), signal })
        if (!answer.ok) throw await toFailure(answer)
        return await answer.arrayBuffer()
      } catch (cause) {
        if (signal.aborted || !(cause instanceof TypeError)) throw cause
        throw notReached(cause)
      }
    },
    async transcribe({ audio, seconds, language }, signal) {
      const { transcribe: route } = ownRoutes
      const query = { type: audio.type, seconds: seconds.toFixed(1), language }
      return (await ask(route, route.answers[200], { query, file: audio, signal })).text
    },
    async lastReply(conversationId) {
      const { readTranscript: route } = ownRoutes
      const { items } = await ask(route, route.answers[200], { params: { id: conversationId }, query: { limit: '40' } })
      const from = items.findLastIndex(({ role }) => role === 'user')
      const replies = items.slice(from + 1).filter(({ role }) => role === 'assistant')
      return replies.flatMap(({ parts }) => parts.flatMap(textOf)).join('\n\n')
    },
    usage: async () => (await ask(ownRoutes.readVoiceUsage, ownRoutes.readVoiceUsage.answers[200], {})).days,
  }
}

const TextPart = z.looseObject({ type: z.literal('text'), text: z.string() })

function textOf(part: unknown): readonly string[] {
  const read = TextPart.safeParse(part)
  return read.success ? [read.data.text] : []
}
