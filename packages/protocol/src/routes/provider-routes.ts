import * as z from 'zod'
import type { Route } from '../parts/route.ts'
import { nothing } from '../parts/route-parts.ts'

/** The form that a provider speaks. */
export const ProviderType = z.enum(['anthropic', 'openai-responses', 'openai-chat', 'google', 'bedrock'])
export type ProviderType = z.infer<typeof ProviderType>

/** What kind of server speaks Chat Completions. */
export const ChatServer = z.enum([
  'openai',
  'ollama',
  'lm-studio',
  'llama-cpp',
  'vllm',
  'openrouter',
  'openai-compatible',
])
export type ChatServer = z.infer<typeof ChatServer>

/** Stands before the slash of its models. */
const ProviderId = z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
  error: 'is 1 to 40 lower-case letters, digits and "-", beginning with a letter or a digit',
})
const Name = z.string().trim().min(1).max(80)
const Key = z.string().trim().min(1).max(4_000)
const Address = z.url({ protocol: /^https?$/, error: 'is an address that begins with http:// or https://' }).max(2_000)
/** Tokens that a model's window holds. */
const Window = z.int().min(1_000).max(100_000_000)
const Region = z.string().regex(/^[a-z]{2}(-[a-z]+)+-\d$/, { error: 'is a region such as us-east-1' })

/**
 * One provider and where it is from: `environment` and `file` are changed where they stand, `found` is a server on this
 * machine that answered, `stored` was made here and can be changed and deleted here.
 */
export const ProviderSetting = z.object({
  id: z.string(),
  name: z.string(),
  type: ProviderType,
  server: ChatServer.nullable(),
  /** Null for the provider's own address. */
  baseUrl: z.string().nullable(),
  region: z.string().nullable(),
  /** The window of its models, as it was set here; null where what is known of each counts. [WIN8] */
  contextWindowTokens: z.int().positive().nullable(),
  /** The last four characters of its key; null where it has none, or the asker is no admin. Never more. [SEC4] */
  keyEnding: z.string().max(4).nullable(),
  source: z.discriminatedUnion('type', [
    z.object({ type: z.literal('environment'), variable: z.string() }),
    z.object({ type: z.literal('file') }),
    z.object({ type: z.literal('found') }),
    z.object({ type: z.literal('stored') }),
  ]),
  state: z.enum(['ready', 'asking', 'failed']),
  /** What is wrong, for a person. */
  problem: z.string().nullable(),
  modelCount: z.int().nonnegative(),
  /** Of a stored one: the `revision` that a change names; null of all others. */
  revision: z.int().positive().nullable(),
})
export type ProviderSetting = z.infer<typeof ProviderSetting>

/** What one part of a test found; `skipped` where an earlier part failed or there is no model to ask. */
const Finding = z.enum(['ok', 'failed', 'skipped'])

/** What a test of a provider found. */
export const ProviderTest = z.object({
  /** Milliseconds since the Unix epoch. */
  at: z.int().nonnegative(),
  /** Whether its list of models came, in how long, and how many there are. */
  models: Finding,
  latencyMs: z.number().nonnegative().nullable(),
  modelCount: z.int().nonnegative().nullable(),
  /** The model that was asked for a few words and for a tool call; null where there was none. */
  modelId: z.string().nullable(),
  streaming: Finding,
  /** From the request to the first words. */
  firstWordsMs: z.number().nonnegative().nullable(),
  tools: Finding,
  /** What went wrong first, for a person, without keys; null where all went well. */
  problem: z.string().nullable(),
})
export type ProviderTest = z.infer<typeof ProviderTest>

const named = z.object({ providerId: z.string().min(1).max(200) })

/** The routes about providers that everyone of the installation uses. Keys go in and never come out. [SEC4] */
export const providerRoutes = {
  listProviders: {
    method: 'GET',
    path: '/providers',
    access: 'user',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ providers: z.array(ProviderSetting) }) },
  },
  /** Looks again for servers of models on this machine, as the start does. [UI110] */
  lookForProviders: {
    method: 'POST',
    path: '/providers/look',
    access: 'admin',
    params: nothing,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ providers: z.array(ProviderSetting) }) },
  },
  addProvider: {
    method: 'POST',
    path: '/providers',
    access: 'admin',
    params: nothing,
    query: nothing,
    body: z.strictObject({
      id: ProviderId,
      name: Name.exactOptional(),
      type: ProviderType,
      server: ChatServer.exactOptional(),
      baseUrl: Address.exactOptional(),
      region: Region.exactOptional(),
      apiKey: Key.exactOptional(),
      contextWindowTokens: Window.exactOptional(),
    }),
    answers: { 201: ProviderSetting },
  },
  changeProvider: {
    method: 'PATCH',
    path: '/providers/:providerId',
    access: 'admin',
    params: named,
    query: nothing,
    /** What is absent stays. `revision`: the one that was read. */
    body: z.strictObject({
      revision: z.int().positive(),
      name: Name.exactOptional(),
      baseUrl: Address.nullable().exactOptional(),
      apiKey: Key.nullable().exactOptional(),
      /** Null for what is known of each model. */
      contextWindowTokens: Window.nullable().exactOptional(),
    }),
    answers: { 200: ProviderSetting },
  },
  removeProvider: {
    method: 'DELETE',
    path: '/providers/:providerId',
    access: 'admin',
    params: named,
    query: nothing,
    body: nothing,
    answers: { 200: z.object({ providerId: z.string() }) },
  },
  testProvider: {
    method: 'POST',
    path: '/providers/:providerId/test',
    access: 'admin',
    params: named,
    query: nothing,
    body: nothing,
    answers: { 200: ProviderTest },
  },
} as const satisfies Readonly<Record<string, Route>>
