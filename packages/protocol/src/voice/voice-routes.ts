import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'

/** How much may be said and heard at once, and how often. */
export const VOICE_LIMITS = {
  /** Of one request to speak: the audio servers of OpenAI's form take 4,096. */
  characters: 4_000,
  /** Of what is dictated at a time. */
  audioBytes: 10_000_000,
  /** Of what an audio server answers. */
  spokenBytes: 20_000_000,
  /** Of one person. */
  requestsAMinute: 120,
  atOnce: 4,
} as const

/** What speaks or listens: nothing, the browser, or the audio server of the installation. */
export const VoiceEngine = z.enum(['off', 'browser', 'server'])
export type VoiceEngine = z.infer<typeof VoiceEngine>

const fields = {
  /** What reads aloud. */
  aloud: VoiceEngine,
  /** Whether answers are read as they come, and not on request alone. */
  byItself: z.boolean(),
  /** What takes dictation. */
  dictation: VoiceEngine,
  /** The voice, by the name that the engine has for it; null for the usual one. */
  voice: z.string().trim().min(1).max(200).nullable(),
  /** 1 is the usual speed. */
  speed: z.number().min(0.5).max(3),
}

/** How an agent is heard, and how it hears. */
export const AgentVoice = z.strictObject(fields)
export type AgentVoice = z.infer<typeof AgentVoice>

/** Where nobody said anything: nothing is read and nothing is recorded. */
export const NO_VOICE: AgentVoice = { aloud: 'off', byItself: false, dictation: 'off', voice: null, speed: 1 }

const Address = z.url({ protocol: /^https?$/, error: 'is an address that begins with http:// or https://' }).max(2_000)
const Name = z.string().trim().min(1).max(200)
const price = z.number().nonnegative().max(1_000_000)

/** An audio server of OpenAI's form: `/audio/speech` and `/audio/transcriptions` under its address. */
const serverFields = {
  baseUrl: Address,
  /** Null where it does not speak. */
  speechModel: Name.nullable(),
  /** The usual voice. */
  voice: Name,
  /** Null where it does not listen. */
  transcriptionModel: Name.nullable(),
  /** Null where nobody said what it costs: then the cost of what is said is unknown. */
  usdPerMillionCharacters: price.nullable(),
  usdPerMinute: price.nullable(),
}

/** How voice is set up, as a person sees it. */
export const VoiceAnswer = z.object({
  /** Grows with every change; 0 before the first. */
  revision: z.int().nonnegative(),
  /** What holds for agents that say nothing themselves. */
  usual: z.object(fields),
  /** Null where there is none. Its address and the end of its key are for admins. [SEC4] */
  server: z
    .object({
      speaks: z.boolean(),
      listens: z.boolean(),
      voice: z.string(),
      speechModel: z.string().nullable(),
      transcriptionModel: z.string().nullable(),
      usdPerMillionCharacters: z.number().nullable(),
      usdPerMinute: z.number().nullable(),
      baseUrl: z.string().nullable(),
      keyEnding: z.string().max(4).nullable(),
      /** Why it cannot be used, in words; null where nothing is known to be wrong. */
      problem: z.string().nullable(),
    })
    .nullable(),
})
export type VoiceAnswer = z.infer<typeof VoiceAnswer>

/** What one day of voice took. */
const VoiceDay = z.object({
  /** As in `2026-11-27`, in UTC. */
  day: z.string(),
  spoken: z.int().nonnegative(),
  characters: z.int().nonnegative(),
  heard: z.int().nonnegative(),
  seconds: z.number().nonnegative(),
  failed: z.int().nonnegative(),
  /** What is known of the cost. */
  costUsd: z.number().nonnegative(),
  /** Requests of which nobody knows what they cost. */
  unpriced: z.int().nonnegative(),
})

/** Reading aloud and dictation. The key of the audio server goes in and never comes out. [SEC4] */
export const voiceRoutes = {
  readVoice: {
    method: 'GET',
    path: '/voice',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: VoiceAnswer },
  },
  changeVoice: {
    method: 'PATCH',
    path: '/voice',
    access: 'admin',
    params: nothing,
    query: nothing,
    /** `revision`: the one that was read. What is absent stays; of the server an absent key stays, and null takes it away. */
    body: z.strictObject({
      revision: z.int().nonnegative(),
      usual: AgentVoice.exactOptional(),
      server: z
        .strictObject({ ...serverFields, apiKey: z.string().trim().min(1).max(4_000).nullable().exactOptional() })
        .nullable()
        .exactOptional(),
    }),
    answers: { 200: VoiceAnswer },
  },
  /** The sound of a text, as the audio server gives it. */
  speak: {
    method: 'POST',
    path: '/voice/speech',
    access: 'user',
    gives: 'application/octet-stream',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      text: z.string().trim().min(1).max(VOICE_LIMITS.characters),
      voice: fields.voice.exactOptional(),
      speed: fields.speed.exactOptional(),
    }),
    answers: { 200: nothing },
  },
  /** The words of a recording. */
  transcribe: {
    method: 'POST',
    path: '/voice/transcriptions',
    access: 'user',
    takes: 'application/octet-stream',
    params: nothing,
    query: z.strictObject({
      /** Media type of the recording. */
      type: z.string().regex(/^audio\/[\w.+-]{1,40}(;\s?codecs=[\w.,"+-]{1,60})?$/, {
        error: 'is a type of sound such as audio/webm',
      }),
      /** How long it is, in seconds. */
      seconds: z.coerce.number().nonnegative().max(36_000).exactOptional(),
      language: z
        .string()
        .regex(/^[a-z]{2,3}$/, { error: 'is a language such as en' })
        .exactOptional(),
    }),
    body: z.unknown(),
    answers: { 200: z.object({ text: z.string() }) },
  },
  /** What one's own reading and dictation by the audio server took, the newest day first. */
  readVoiceUsage: {
    method: 'GET',
    path: '/voice/usage',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ days: z.array(VoiceDay) }) },
  },
} as const satisfies Readonly<Record<string, Route>>
