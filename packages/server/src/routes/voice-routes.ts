import { buffer } from 'node:stream/consumers'
import { NO_VOICE, routes, VOICE_LIMITS } from '@holdfast/protocol'
import type { FastifyReply } from 'fastify'
import { type BindDeps, bindRoute, TAKEN_OVER } from '../door/bind-route.ts'
import { RefusedError } from '../parts/to-problem.ts'
import type { Voice } from '../voice/open-voice.ts'

/** What the routes of voice need. */
export interface VoiceRoutesDeps extends BindDeps {
  /** Null where there is none but what browsers have. */
  readonly voice: Voice | null
}

/** Serves reading aloud and dictation: what is asked of the audio server goes through here, so that its key stays here. [VOICE3] */
export function bindVoice({ voice, app, ...deps }: VoiceRoutesDeps): void {
  function kept(): Voice {
    if (voice) return voice
    throw new RefusedError(409, 'no-voice', 'This server keeps no voice settings')
  }

  bindRoute({ ...deps, app }, routes.readVoice, async ({ principal, answer }) =>
    answer(
      200,
      voice ? await voice.answer(principal.role === 'admin') : { revision: 0, usual: NO_VOICE, server: null },
    ),
  )
  bindRoute({ ...deps, app }, routes.changeVoice, async ({ body, answer }) => {
    await kept().change(body)
    return answer(200, await kept().answer(true))
  })
  bindRoute({ ...deps, app }, routes.readVoiceUsage, async ({ userId, answer }) =>
    answer(200, { days: (await voice?.days(userId)) ?? [] }),
  )
  bindRoute({ ...deps, app }, routes.speak, async ({ userId, body: { text, voice: named, speed }, reply }) => {
    const signal = untilGone(reply)
    const wish = { text, voice: named ?? null, speed: speed ?? 1, signal }
    const spoken = await unlessGone(signal, async () => {
      const { mediaType, content } = await kept().speak(userId, wish)
      // Whole before it is answered: what breaks off then is said, and by whom. Nobody plays a part of a sound. [VOICE13]
      return { mediaType, sound: await buffer(content) }
    })
    if (spoken !== null)
      await reply
        .code(200)
        .headers({ 'cache-control': 'private, no-store', 'content-type': spoken.mediaType })
        .send(spoken.sound)
    return TAKEN_OVER
  })
  // In a scope of its own: only here is a body of this kind taken as bytes, and a shorter one than elsewhere.
  void app.register(async (scope) => {
    const bounded = { parseAs: 'buffer', bodyLimit: VOICE_LIMITS.audioBytes } as const
    scope.addContentTypeParser('application/octet-stream', bounded, (_request, payload, done) => done(null, payload))
    bindRoute(
      { ...deps, app: scope },
      routes.transcribe,
      async ({ userId, query: { type, seconds, language }, body, reply, answer }) => {
        if (!Buffer.isBuffer(body) || body.byteLength === 0)
          throw new RefusedError(
            415,
            'unsupported-media-type',
            'A recording is sent as the body, as application/octet-stream',
          )
        const wish = { audio: new Uint8Array(body), type, language: language ?? null, seconds: seconds ?? null }
        const signal = untilGone(reply)
        const words = await unlessGone(signal, () => kept().transcribe(userId, { ...wish, signal }))
        return words === null ? TAKEN_OVER : answer(200, { text: words })
      },
    )
  })
}

/** Null where the one who asked is gone: that is no failure of anybody, and there is nobody to be answered. */
async function unlessGone<Value>(signal: AbortSignal, work: () => Promise<Value>): Promise<Value | null> {
  try {
    return await work()
  } catch (error) {
    if (signal.aborted) return null
    throw error
  }
}

/** Fires when the one who asked is gone: nobody pays for what nobody hears. */
function untilGone({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  raw.once('close', () => {
    if (!raw.writableFinished) gone.abort(new RefusedError(503, 'voice-failed', 'Nobody waits for it any more'))
  })
  return gone.signal
}
