import type { LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import type { Ids, Json } from '@holdfast/conversation'
import { classifyProviderError } from '../errors/classify-provider-error.ts'
import type { Vendor } from '../errors/error-rules.ts'
import { brokenLineError, isNetworkFailure, networkError } from '../errors/network-error.ts'
import { emptyAnswer } from '../errors/not-a-stream.ts'
import { withoutKeys } from '../errors/without-keys.ts'
import { type ModelRequest, ProviderError, type WirePort } from '../model-port.ts'
import { type RequestBlobs, readBlobs } from '../request-blobs.ts'
import { createCallIds } from '../wire/call-ids.ts'
import { createHandOver } from '../wire/hand-over.ts'
import { asCount, asRecord, asString } from '../wire/json-reader.ts'
import { callSettings } from './call-settings.ts'
import { encodePromptV3, encodePromptV4 } from './encode-prompt.ts'
import type { PackageMetadata } from './package-state.ts'
import { createPartReader, type PackagePart } from './part-reader.ts'
import { createStreamFetch } from './stream-fetch.ts'
import { isUnknownEvent } from './unknown-event.ts'

/** What the adapter is made of. */
export interface AiSdkModelDeps {
  readonly providerId: string
  /** Whose errors the package hands on. */
  readonly vendor: Vendor
  /** The package's model for an id, which makes its requests by `send`. Both versions of the interface are taken. */
  readonly modelOf: (modelId: string, send: typeof fetch) => LanguageModelV3 | LanguageModelV4
  /** Absent: it does. [REQ4] */
  readonly bindsThinking?: (modelId: string) => boolean
  readonly ids: Ids
  /** How the package is asked to keep the prefix; null where it cannot be asked. */
  readonly cacheMark: ((ttl: '5m' | '1h') => PackageMetadata) | null
  /** How thinking, and parameters that are this package's own, are said to it. */
  readonly optionsOf: (request: ModelRequest) => PackageMetadata
}

type CallOptions = Omit<Parameters<LanguageModelV4['doStream']>[0], 'prompt' | 'providerOptions'>

/**
 * Makes the way to a model by a package of the AI SDK: for all formats that we do not speak ourselves.
 *
 * `doStream` is called as it is: it makes one request and tries nothing twice. The log holds our own blocks and the
 * package's metadata, never its types.
 */
export function createAiSdkModel(deps: AiSdkModelDeps): WirePort {
  const { vendor, bindsThinking } = deps
  const send = createStreamFetch(vendor)
  return {
    providerId: deps.providerId,
    ...(bindsThinking === undefined ? {} : { bindsThinking }),
    async stream(request, ports) {
      const { signal } = ports
      const blobs = await readBlobs(request, ports.blobs)
      if (signal.aborted) return
      // A package may wait for its own abort; this one tells it also when the reader has failed.
      const closing = new AbortController()
      const both = AbortSignal.any([signal, closing.signal])
      const callIds = createCallIds({ messages: request.messages, next: () => deps.ids.next('call') })
      const handOver = createHandOver(ports)
      try {
        const model = deps.modelOf(request.modelId, send)
        const reader = createPartReader({ packageName: model.provider, callIds })
        const stream = await openStream(model, { deps, request, blobs, signal: both })
        let rawValue: unknown
        for await (const part of stream) {
          if (signal.aborted) return
          if (part.type === 'raw') rawValue = part.rawValue
          if (part.type === 'error' && !isUnknownEvent({ vendor, error: part.error, rawValue })) throw part.error
          const pause = handOver.give(reader.read(part))
          if (pause !== undefined) await pause
        }
        if (!handOver.hasGiven && !signal.aborted) throw emptyAnswer()
      } catch (error) {
        // Packages name an abort in many ways; only the signal tells.
        if (signal.aborted) return
        throw handOver.readerFailed ? error : inMidAnswer(error, handOver.hasGiven, deps)
      } finally {
        closing.abort()
      }
    },
    async wireBody(request, source) {
      const catching = catchBody()
      const call = { deps, request, blobs: await readBlobs(request, source), signal: new AbortController().signal }
      try {
        await openStream(deps.modelOf(request.modelId, catching.send), call)
      } catch (error) {
        const body = catching.caught()
        if (body !== null) return body
        throw toProviderError(error, deps)
      }
      throw new Error(`The package of ${deps.providerId} did not send its request by the fetch that it was given`)
    },
  }
}

/** In the place of `fetch`: keeps the body that a package would send, and sends nothing. */
function catchBody(): { readonly send: typeof fetch; readonly caught: () => string | null } {
  let body: string | null = null
  return {
    send(_input, init) {
      body = typeof init?.body === 'string' ? init.body : null
      return Promise.reject(new Error('Nothing is sent: the body alone was asked for'))
    },
    caught: () => body,
  }
}

interface Call {
  readonly deps: AiSdkModelDeps
  readonly request: ModelRequest
  readonly blobs: RequestBlobs
  readonly signal: AbortSignal
}

async function openStream(model: LanguageModelV3 | LanguageModelV4, call: Call): Promise<AsyncIterable<PackagePart>> {
  const { deps, request, blobs, signal } = call
  const promptOptions = { blobs, packageName: model.provider, cacheMark: deps.cacheMark }
  const providerOptions = copied(deps.optionsOf(request))
  const options: CallOptions = {
    includeRawChunks: true,
    abortSignal: signal,
    ...callSettings(request.parameters),
    ...(request.maxOutputTokens === null ? {} : { maxOutputTokens: request.maxOutputTokens }),
    ...(request.tools.length === 0
      ? {}
      : { tools: request.tools.map(toolOf), toolChoice: { type: request.toolChoice } }),
  }
  if (model.specificationVersion === 'v4') {
    return (await model.doStream({ ...options, providerOptions, prompt: encodePromptV4(request, promptOptions) }))
      .stream
  }
  const { reasoning: _reasoning, tools, ...shared } = options
  const functions = tools?.filter((tool) => tool.type === 'function')
  return (
    await model.doStream({
      ...shared,
      ...(functions ? { tools: functions } : {}),
      providerOptions,
      prompt: encodePromptV3(request, promptOptions),
    })
  ).stream
}

function toolOf({ name, description, parameters }: ModelRequest['tools'][number]) {
  return { type: 'function' as const, name, description, inputSchema: schemaOf(parameters) }
}

/** The interface asks for an object. @throws when a tool's parameters are none: our own defect. */
function schemaOf(parameters: Json): { [key: string]: Json } {
  if (!isJsonObject(parameters)) throw new Error("A tool's parameters are not an object")
  return { ...parameters }
}

function isJsonObject(value: Json): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function copied(metadata: PackageMetadata): Record<string, Record<string, Json>> {
  return Object.fromEntries(Object.entries(metadata).map(([provider, fields]) => [provider, { ...fields }]))
}

/** A line that breaks after the first part of an answer says so. */
function inMidAnswer(thrown: unknown, hasBegun: boolean, deps: AiSdkModelDeps): ProviderError {
  const failure = hasBegun && !(thrown instanceof ProviderError) ? networkCause(thrown) : null
  return failure === null ? toProviderError(thrown, deps) : brokenLineError(failure, deps.providerId)
}

/** What a package throws, in our classes: an answer by its status and body, a line by its code, all else internal. */
function toProviderError(thrown: unknown, { vendor, providerId }: AiSdkModelDeps): ProviderError {
  if (thrown instanceof ProviderError) return thrown
  const status = thrown instanceof Error && 'statusCode' in thrown ? asCount(thrown.statusCode) : null
  const bodyText = thrown instanceof Error && 'responseBody' in thrown ? asString(thrown.responseBody) : null
  const headers = thrown instanceof Error && 'responseHeaders' in thrown ? asRecord(thrown.responseHeaders) : null
  if (status !== null && status >= 400) {
    return classifyProviderError({
      vendor,
      status,
      bodyText: bodyText ?? '',
      headers: stringsOf(headers),
      nowMs: Date.now(),
    })
  }
  const failure = networkCause(thrown)
  if (failure) return networkError(failure, providerId)
  if (!(thrown instanceof Error)) {
    return classifyProviderError({ vendor, status: null, bodyText: errorText(thrown), headers: {}, nowMs: 0 })
  }
  const words = withoutKeys(thrown.message.split('\n', 1)[0] ?? '').slice(0, WORDS_LIMIT)
  return new ProviderError('internal', `The package of ${providerId} failed: ${words}`, { cause: thrown })
}

/** Packages quote the whole event that they failed at; so many characters of it are enough. */
const WORDS_LIMIT = 300

/** The failure of the line that an error of the package was made of: `fetch` hides it in its cause. */
function networkCause(thrown: unknown): unknown {
  for (let error = thrown; error instanceof Error; error = error.cause) {
    if (isNetworkFailure(error) || error.message === 'fetch failed' || error.message === 'terminated') return error
  }
  return null
}

function errorText(thrown: unknown): string {
  return typeof thrown === 'string' ? thrown : (JSON.stringify(thrown) ?? '')
}

function stringsOf(headers: Readonly<Record<string, unknown>> | null): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers ?? {}).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name.toLowerCase(), value]] : [],
    ),
  )
}
