import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import {
  createFaultReply,
  createStrictProvider,
  type FaultCase,
  type RequestRecord,
  type StrictProvider,
} from '@holdfast/conformance'
import type { AnswerBlock } from '@holdfast/conversation'
import { type ModelPart, type ModelPort, type ModelRequest, noBlobs, type ProviderError } from '@holdfast/provider'
import { type CollectedAnswer, collectParts, readAll } from '@holdfast/provider/testing'
import { whenSilent } from './hanging.ts'
import { type Addresses, ask, callsOf, requestOf, type StrictPort, says } from './strict-ports.ts'

/** What came of one fault. */
export interface FaultRun {
  readonly answer: CollectedAnswer
  readonly error: ProviderError | null
  /** Whether only the limit of silence ended it. */
  readonly wasSilent: boolean
  /** From the start, or from the signal where silence ended it, to the end of the port's stream. */
  readonly tookMs: number
  /** The request that the fault met; none where no connection came about. */
  readonly record: RequestRecord | undefined
  /** How many requests the port made for it: nothing is tried twice. */
  readonly requests: number
  /** What became of the request after it, with all that was kept in its history. */
  readonly next: Pick<RequestRecord, 'status' | 'violations'> | undefined
}

/** How long nothing comes where silence is played, and how long a stream may take that should end by itself. */
const SILENCE_MS = 60
const DEFECT_MS = 290_000

/** Faults that are answers of millions of characters. */
export const LARGE_ANSWERS: ReadonlySet<string> = new Set(['huge-delta', 'million-deltas', 'arguments-5-mb'])

/** Plays one fault to a port, ends it where it is silent, and sends what was kept of it in the next request. */
export async function runFault(port: StrictPort, { fault, place }: FaultCase): Promise<FaultRun> {
  const provider = await createStrictProvider({})
  try {
    provider.script(createFaultReply(fault, place))
    const request = requestOf(port, [says('Look.')])
    const urls = fault.effect.type === 'address' ? badUrls(provider.addressOf(fault.effect.address)) : provider.urls
    const run = await read({ model: port.open(urls), request, provider, one: { fault, place } })
    const requests = provider.requests.length
    const record = provider.requests[0]
    await record?.done
    // An answer of millions of characters fits into no window; context is what makes room for it.
    const next = LARGE_ANSWERS.has(fault.name)
      ? undefined
      : await askOn({ port, provider, request, answer: run.answer })
    return { ...run, record, requests, next }
  } finally {
    await provider.close()
  }
}

/** Reads the answer; one that falls silent is stopped once it has been silent for a while, as the engine does. */
async function read({
  model,
  request,
  provider,
  one: { fault, place },
}: {
  readonly model: ModelPort
  readonly request: ModelRequest
  readonly provider: StrictProvider
  readonly one: Pick<FaultCase, 'fault' | 'place'>
}): Promise<Pick<FaultRun, 'answer' | 'error' | 'wasSilent' | 'tookMs'>> {
  const silence = new AbortController()
  const defect = setTimeout(() => silence.abort(), DEFECT_MS)
  let startedMs = performance.now()
  let seen = 0
  try {
    const reading = readAll((take) => {
      const onPart = (part: ModelPart): undefined => {
        seen += 1
        return take(part)
      }
      return model.stream(request, { signal: silence.signal, blobs: noBlobs, onPart })
    })
    if (fault.outcome === 'silent') {
      const where = fault.name === 'no-answer' ? 'before-headers' : place
      await whenSilent({ provider, index: 0, place: where, readSoFar: () => seen })
      await setTimeoutPromise(SILENCE_MS)
      startedMs = performance.now()
      silence.abort()
    }
    const { parts, error } = await reading
    const tookMs = performance.now() - startedMs
    return { answer: collectParts(parts), error, wasSilent: silence.signal.aborted, tookMs }
  } finally {
    clearTimeout(defect)
  }
}

/** The next turn: whole blocks stay, calls that are not whole fall away, the others are answered. */
async function askOn({
  port,
  provider,
  request,
  answer,
}: {
  readonly port: StrictPort
  readonly provider: StrictProvider
  readonly request: ModelRequest
  readonly answer: CollectedAnswer
}): Promise<FaultRun['next']> {
  const blocks = answer.blocks.filter((block: AnswerBlock) => block.type !== 'tool-call' || block.complete)
  const results = callsOf(blocks).map(({ callId }) => ({
    role: 'tool' as const,
    callId,
    isError: true,
    content: [{ type: 'text' as const, text: 'It did not run.' }],
  }))
  provider.script({ parts: [{ type: 'text', text: 'Fine.' }] })
  const messages = [...request.messages, { role: 'assistant' as const, blocks }, ...results, says('Go on.')]
  await ask(port.open(provider.urls), { ...request, messages })
  const { status, violations } = provider.requests.at(-1) ?? { status: undefined, violations: [] }
  return { status, violations }
}

function badUrls(url: string): Addresses {
  return { anthropic: `${url}/v1`, openai: `${url}/v1`, gemini: `${url}/v1beta`, bedrock: url }
}
