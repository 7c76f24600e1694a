import { type AudioServer, createAudioServer } from '@holdfast/conformance'
import { Json } from '@holdfast/conversation'
import { API_PATH, VOICE_LIMITS } from '@holdfast/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import * as z from 'zod'
import { createSeal } from '../src/accounts/seal.ts'
import type { AskHttp } from '../src/voice/audio-server.ts'
import { openVoice, type Voice } from '../src/voice/open-voice.ts'
import { addUser, type Credentials, send, setUp } from './support/people.ts'
import { realClock } from './support/real-ports.ts'
import { type Served, serve, TOKEN } from './support/serve.ts'

const KEY = 'sk-a-secret-key-of-the-audio-server'
const SEAL = createSeal(new Uint8Array(32).fill(3), 'voice')

let audio: AudioServer
let served: Served
let voice: Voice

async function begin(ask: AskHttp = fetch): Promise<void> {
  served = await serve({
    webRoot: null,
    voice: (records) => {
      voice = openVoice({ records, clock: realClock, seal: SEAL, ask })
      return voice
    },
  })
}

beforeEach(async () => {
  audio = await createAudioServer(KEY)
  await begin()
})
afterEach(async () => {
  await served.close()
  await audio.close()
})

const Answer = z.looseObject({ revision: z.number(), server: z.looseObject({}).nullable() })

function server(more: object = {}) {
  return {
    baseUrl: audio.baseUrl,
    speechModel: 'tts-1',
    voice: 'alloy',
    transcriptionModel: 'whisper-1',
    usdPerMillionCharacters: 15,
    usdPerMinute: 0.006,
    apiKey: KEY,
    ...more,
  }
}

async function connect(more: object = {}): Promise<void> {
  const { revision } = Answer.parse((await served.call('GET', `${API_PATH}/voice`)).body)
  const answer = await served.call('PATCH', `${API_PATH}/voice`, { revision, server: server(more) })
  expect(answer.status).toBe(200)
}

function post(path: string, { body, type, signal }: { body: string | Buffer; type: string; signal?: AbortSignal }) {
  return fetch(`${served.url}${API_PATH}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': type },
    body: new Uint8Array(Buffer.from(body)),
    ...(signal ? { signal } : {}),
  })
}

function speak(text: string, more: object = {}) {
  return post('/voice/speech', { body: JSON.stringify({ text, ...more }), type: 'application/json' })
}

function transcribe(audioBytes: Buffer, query = 'type=audio/webm;codecs=opus&seconds=30&language=en') {
  return post(`/voice/transcriptions?${query}`, { body: audioBytes, type: 'application/octet-stream' })
}

async function problemOf(answer: Response) {
  return z.looseObject({ code: z.string(), detail: z.string() }).parse(await answer.json())
}

describe('voice', () => {
  it('[VOICE1] is off until somebody turns it on, and there is no audio server', async () => {
    const { body } = await served.call('GET', `${API_PATH}/voice`)
    expect(body).toEqual({
      revision: 0,
      usual: { aloud: 'off', byItself: false, dictation: 'off', voice: null, speed: 1 },
      server: null,
    })
    expect(await problemOf(await speak('Hello'))).toMatchObject({ code: 'no-voice' })
    const made = await served.call('POST', `${API_PATH}/agents`, { name: 'Quiet' })
    expect(made.body).toMatchObject({ voice: null })
    const own = { aloud: 'server', byItself: true, dictation: 'browser', voice: 'nova', speed: 1.25 }
    expect((await served.call('POST', `${API_PATH}/agents`, { name: 'Loud', voice: own })).body).toMatchObject({
      voice: own,
    })
  })

  it('[VOICE2] keeps the key of the audio server sealed, gives out its end alone, and sends it to no other address', async () => {
    await connect()
    const { body } = await served.call('GET', `${API_PATH}/voice`)
    expect(body).toMatchObject({ revision: 1, server: { keyEnding: KEY.slice(-4), speaks: true, listens: true } })
    expect(JSON.stringify(body)).not.toContain(KEY)
    const kept = await served.records.changes(0, 500)
    expect(kept.map(({ kind }) => kind)).toContain('voice')
    const raw = await served.records.get({ kind: 'voice', schema: Json }, { ownerId: 'installation', id: 'voice' })
    expect(JSON.stringify(raw?.value)).toContain('sealedKey')
    expect(JSON.stringify(raw?.value)).not.toContain(KEY)
    expect(voice.secrets()).toContain(KEY)

    // The same server with another model keeps its key; another address has none.
    const { apiKey: _, ...without } = server({ speechModel: 'tts-2' })
    await served.call('PATCH', `${API_PATH}/voice`, { revision: 1, server: without })
    expect((await speak('Kept')).status).toBe(200)
    const other = await createAudioServer('other')
    await served.call('PATCH', `${API_PATH}/voice`, { revision: 2, server: { ...without, baseUrl: other.baseUrl } })
    expect((await speak('Elsewhere')).status).toBe(503)
    expect(other.refusals).toEqual(['Incorrect API key provided: undefined'])
    await other.close()
    const late = await served.call('PATCH', `${API_PATH}/voice`, { revision: 1, server: null })
    expect(late).toMatchObject({ status: 409, body: { code: 'conflict' } })
  })

  it('[VOICE2] is set up by admins alone, who alone see where the server is', async () => {
    await served.close()
    served = await serve({
      webRoot: null,
      withAccounts: true,
      voice: (records) => openVoice({ records, clock: realClock, seal: SEAL, ask: fetch }),
    })
    const admin = await setUp(served)
    const user = await addUser(served, admin, { email: 'user@example.org', role: 'user' })
    const change = (as: Credentials, body: object) => send(served, ['PATCH', '/voice'], { as, body })
    expect((await change(admin, { revision: 0, server: server() })).status).toBe(200)
    expect((await change(user, { revision: 1, server: null })).status).toBe(403)
    const seen = await send(served, ['GET', '/voice'], { as: user })
    expect(seen.body).toMatchObject({ server: { baseUrl: null, keyEnding: null, speaks: true } })
  })

  it('[VOICE3] passes on what is said and what was recorded, and the key to nobody but the audio server', async () => {
    await connect()
    const spoken = await speak('Read this.', { voice: 'nova', speed: 1.5 })
    expect(spoken.status).toBe(200)
    expect(spoken.headers.get('content-type')).toBe('audio/wav')
    expect(
      Buffer.from(await spoken.arrayBuffer())
        .subarray(0, 4)
        .toString(),
    ).toBe('RIFF')
    audio.hear('Take this down')
    const heard = await transcribe(Buffer.from('a recording'))
    expect(await heard.json()).toEqual({ text: 'Take this down' })
    await connect({ baseUrl: new URL(audio.baseUrl).origin })
    expect((await speak('Without its version.')).status).toBe(200)
    expect(audio.asked).toMatchObject([
      { type: 'speech', text: 'Read this.', voice: 'nova', speed: 1.5, model: 'tts-1' },
      { type: 'transcription', model: 'whisper-1', language: 'en', fileName: 'dictation.webm', bytes: 11 },
      { type: 'speech', text: 'Without its version.', voice: 'alloy' },
    ])
    expect(audio.refusals).toEqual([])
  })

  it('[VOICE3, VOICE13] says in words what is wrong with the audio server, never with its key', async () => {
    await connect()
    const troubles = [
      ['unauthorized', /refused its key \(401\)/],
      ['page', /answered with text\/html, which is no sound/],
      ['moved', /leads elsewhere \(302\)/],
      ['broken', /answered with 500: out of memory/],
    ] as const
    for (const [trouble, words] of troubles) {
      audio.fail(trouble)
      for (const answer of [await speak('Hello'), await transcribe(Buffer.from('sound'))]) {
        const problem = await problemOf(answer)
        expect(problem).toMatchObject({ code: 'voice-failed', status: 503 })
        if (trouble !== 'page') expect(problem.detail).toMatch(words)
        expect(JSON.stringify(problem)).not.toContain(KEY)
      }
    }
    audio.fail('echo')
    expect((await problemOf(await speak('Hello'))).detail).toMatch(/answered with 500$/)
    audio.fail('cut')
    expect((await problemOf(await transcribe(Buffer.from('sound')))).detail).toMatch(/broke off its answer/)
    // A sound that breaks off behind a 200 is the audio server's, and no fault of this one.
    const broken = await problemOf(await speak('Hello'))
    expect(broken).toMatchObject({ code: 'voice-failed', status: 503 })
    expect(broken.detail).toMatch(/^The audio server broke off its answer/)
    audio.fail('empty')
    expect((await problemOf(await speak('Hello'))).detail).toBe('The audio server answered with a sound of no length')
    audio.fail('page')
    expect((await problemOf(await transcribe(Buffer.from('sound')))).detail).toMatch(
      /text\/html, which is no transcription/,
    )
    await connect({ baseUrl: 'http://127.0.0.1:9/v1', apiKey: KEY })
    expect((await problemOf(await speak('Hello'))).detail).toMatch(/cannot be reached \(/)
    await connect({ speechModel: null, transcriptionModel: null })
    expect(await problemOf(await speak('Hello'))).toMatchObject({ code: 'no-voice' })
    expect(served.logged.join('\n')).not.toContain(KEY)
  })

  it('[VOICE3] bounds what comes and what goes: too long a text, too large a recording, a sound without end, nobody who waits', async () => {
    await connect()
    expect((await speak('x'.repeat(VOICE_LIMITS.characters + 1))).status).toBe(400)
    expect((await transcribe(Buffer.alloc(VOICE_LIMITS.audioBytes + 1))).status).toBe(413)
    expect((await transcribe(Buffer.alloc(0))).status).toBe(415)
    expect((await transcribe(Buffer.from('x'), 'type=text/html')).status).toBe(400)
    audio.fail('endless')
    expect((await problemOf(await speak('Go on'))).detail).toMatch(/^The audio server sent more than \d+ bytes$/)
    await expect.poll(() => audio.brokenOff()).toBe(1)
    audio.fail('silent')
    const failures = served.logged.length
    const leaving = new AbortController()
    const body = JSON.stringify({ text: 'Nobody waits' })
    const waiting = post('/voice/speech', { body, type: 'application/json', signal: leaving.signal })
    await expect.poll(() => audio.received()).toBe(2)
    leaving.abort()
    await expect(waiting).rejects.toThrow()
    await expect.poll(() => audio.brokenOff()).toBe(2)
    // Who went away is no failure.
    expect(served.logged.slice(failures)).toEqual([])
  })

  it('[VOICE4] counts what each person uses by the day, with its cost where there is a price, and lets nobody ask without end', async () => {
    await connect()
    await (await speak('x'.repeat(1_000))).arrayBuffer()
    await transcribe(Buffer.from('sound'))
    audio.fail('broken')
    await speak('Fails')
    audio.fail('none')
    const { revision } = Answer.parse((await served.call('GET', `${API_PATH}/voice`)).body)
    const { apiKey: _, ...unpriced } = server({ usdPerMillionCharacters: null, usdPerMinute: null })
    await served.call('PATCH', `${API_PATH}/voice`, { revision, server: unpriced })
    await (await speak('Unpriced')).arrayBuffer()
    const { body } = await served.call('GET', `${API_PATH}/voice/usage`)
    expect(body).toMatchObject({
      days: [{ spoken: 2, characters: 1_008, heard: 1, seconds: 30, failed: 1, costUsd: 0.018, unpriced: 1 }],
    })
    let last = 200
    for (let asked = 4; asked < VOICE_LIMITS.requestsAMinute && last === 200; asked++)
      last = (await speak('Again')).status
    expect(last).toBe(200)
    const refused = await speak('Too often')
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(Number(refused.headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect(await problemOf(refused)).toMatchObject({ code: 'too-many-requests', status: 429 })
  })

  it('[VOICE4] answers more at once than it asks the audio server at once: the others wait', async () => {
    await connect()
    const many = await Promise.all(Array.from({ length: VOICE_LIMITS.atOnce + 12 }, () => speak('One of many')))
    expect(many.map(({ status }) => status)).toEqual(many.map(() => 200))
  })
})
