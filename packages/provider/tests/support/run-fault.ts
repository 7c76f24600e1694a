import {
  createFaultReply,
  createStrictProvider,
  type FaultCase,
  type RequestRecord,
  type StrictProvider,
} from '@holdfast/conformance'
import type { AnswerBlock } from '@holdfast/conversation'
import type { ModelPart, ModelPort, ModelRequest, ProviderError } from '@holdfast/provider'
import { type CollectedAnswer, collectParts, readAll } from '@holdfast/provider/testing'
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

/** How long nothing may come, counted by parts: short where silence is what is played, else a sign of a defect. */
const SILENCE_MS = 200
const DEFECT_MS = 15_000

/** Faults that are answers of millions of characters. */
export const LARGE_ANSWERS: ReadonlySet<string> = new Set(['huge-delta', 'million-deltas', 'arguments-5-mb'])

/** Plays one fault to a port, ends it where it is silent, and sends what was kept of it in the next request. */
export async function runFault(port: StrictPort, { fault, place }: FaultCase): Promise<FaultRun> {
  const isLarge = LARGE_ANSWERS.has(fault.name)
  const provider = await createStrictProvider({})
  try {
    provider.script(createFaultReply(fault, place))
    const request = requestOf(port, [says('Look.')])
    const urls = fault.effect.type === 'address' ? badUrls(provider.addressOf(fault.effect.address)) : provider.urls
    const run = await readUntilSilence({
      model: port.open(urls),
      request,
      silenceMs: fault.outcome === 'silent' ? SILENCE_MS : DEFECT_MS,
    })
    const requests = provider.requests.length
    const record = provider.requests[0]
    await record?.done
    // An answer of millions of characters fits into no window; context is what makes room for it.
    const next = isLarge ? undefined : await askOn({ port, provider, request, answer: run.answer })
    return { ...run, record, requests, next }
  } finally {
    await provider.close()
  }
}

async function readUntilSilence({
  model,
  request,
  silenceMs,
}: {
  readonly model: ModelPort
  readonly request: ModelRequest
  readonly silenceMs: number
}): Promise<Pick<FaultRun, 'answer' | 'error' | 'wasSilent' | 'tookMs'>> {
  const silence = new AbortController()
  let startedMs = performance.now()
  let timer: NodeJS.Timeout | undefined
  const wait = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      startedMs = performance.now()
      silence.abort()
    }, silenceMs)
  }
  async function* watched(): AsyncGenerator<ModelPart> {
    wait()
    for await (const part of model.stream(request, silence.signal)) {
      clearTimeout(timer)
      yield part
      wait()
    }
  }
  try {
    const { parts, error } = await readAll(watched())
    const tookMs = performance.now() - startedMs
    return { answer: collectParts(parts), error, wasSilent: silence.signal.aborted, tookMs }
  } finally {
    clearTimeout(timer)
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
