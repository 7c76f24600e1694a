import type { LanguageModelV3StreamPart, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import type { BlockStart } from '@holdfast/conversation'
import { NO_USAGE } from '../anthropic/read-usage.ts'
import type { ModelFinish, ModelPart, RequestUsage } from '../model-port.ts'
import type { CallIds } from '../wire/call-ids.ts'
import { isDamaged } from '../wire/damaged-text.ts'
import { asCount } from '../wire/json-reader.ts'
import { isWholeInput } from '../wire/tool-input.ts'
import { mergeMetadata, type PackageMetadata, toPackageState } from './package-state.ts'
import { readRawUsage } from './raw-usage.ts'

/** A part of either version of the interface. */
export type PackagePart = LanguageModelV3StreamPart | LanguageModelV4StreamPart

/** Turns the parts of a package into ours. */
export interface PartReader {
  /** The parts that one of theirs completes. An `error` part is the caller's to throw. */
  read(part: PackagePart): ModelPart[]
}

interface OpenBlock {
  readonly start: BlockStart
  /** Null until there is something of it: packages announce texts that stay empty. */
  block: number | null
  readonly isCall: boolean
  inputText: string
  /** Of thinking: its signature holds no longer. */
  damaged: boolean
  metadata: PackageMetadata | null
}

/** Makes the reader of one answer. A stream without a finish, or with an `interrupted` one, was cut. [RUN5] */
export function createPartReader({
  packageName,
  callIds,
}: {
  readonly packageName: string
  readonly callIds: CallIds
}): PartReader {
  const open = new Map<string, OpenBlock>()
  /** Calls stay open until the end: only its reason tells whether the last one was cut. */
  const calls = new Map<string, OpenBlock>()
  /** Calls whose id came again: they are whole, and no part names them any more. */
  const earlier: OpenBlock[] = []
  let blocks = 0
  let early: RequestUsage = NO_USAGE

  function start(kind: 'text' | 'reasoning', id: string, metadata: unknown): ModelPart[] {
    const blockStart: BlockStart = { type: kind === 'text' ? 'text' : 'thinking' }
    open.set(`${kind} ${id}`, {
      start: blockStart,
      block: null,
      isCall: false,
      inputText: '',
      damaged: false,
      metadata: mergeMetadata(null, metadata),
    })
    return []
  }

  /** The number of a block, and its start if it had none. */
  function numbered(target: OpenBlock): { readonly block: number; readonly started: ModelPart[] } {
    if (target.block !== null) return { block: target.block, started: [] }
    const block = blocks++
    target.block = block
    return { block, started: [{ type: 'block-started', block, start: target.start }] }
  }

  function add(target: OpenBlock | undefined, text: string, metadata: unknown): ModelPart[] {
    if (!target) return []
    target.metadata = mergeMetadata(target.metadata, metadata)
    if (target.isCall) target.inputText += text
    if (target.start.type === 'thinking') target.damaged ||= isDamaged(text)
    if (text === '') return []
    const { block, started } = numbered(target)
    return [...started, { type: 'block-delta', block, text }]
  }

  function end(target: OpenBlock, metadata: unknown): ModelPart[] {
    const state = target.damaged ? undefined : toPackageState(packageName, mergeMetadata(target.metadata, metadata))
    if (target.block === null && state === undefined) return []
    const { block, started } = numbered(target)
    return [...started, { type: 'block-ended', block, ...(state === undefined ? {} : { providerState: state }) }]
  }

  function startCall(id: string, name: string): ModelPart[] {
    const blockStart: BlockStart = { type: 'tool-call', callId: callIds.give(id), name }
    const opened: OpenBlock = {
      start: blockStart,
      block: null,
      isCall: true,
      inputText: '',
      damaged: false,
      metadata: null,
    }
    const same = calls.get(id)
    if (same) earlier.push(same)
    calls.set(id, opened)
    return numbered(opened).started
  }

  /** The whole call: its input counts only where none was streamed, for a package may have repaired it. [RUN10] */
  function call(part: Extract<PackagePart, { type: 'tool-call' }>): ModelPart[] {
    const started = calls.has(part.toolCallId) ? [] : startCall(part.toolCallId, part.toolName)
    const target = calls.get(part.toolCallId)
    const text = target?.inputText === '' ? part.input : ''
    return [...started, ...add(target, text, part.providerMetadata)]
  }

  function finish(part: Extract<PackagePart, { type: 'finish' }>): ModelPart[] {
    const usage = usageOf(part.usage, early)
    const parts: ModelPart[] = usage ? [{ type: 'usage', usage }] : []
    const { unified, raw } = part.finishReason
    // Some packages end every stream with a reason: without one of the vendor's, it was cut.
    const cut = unified === 'interrupted' || unified === 'error' || (unified === 'other' && raw === undefined)
    if (cut) return parts
    for (const target of [...earlier, ...calls.values()]) {
      const isHalf = unified === 'length' && (target.inputText === '' || !isWholeInput(target.inputText))
      if (isHalf) continue
      parts.push(...(target.inputText === '' ? add(target, '{}', null) : []), ...end(target, null))
    }
    return [...parts, { type: 'finish', finish: finishOf(unified, calls.size > 0) }]
  }

  /** What the vendor said itself, where it differs from what is known. */
  function rawUsage(rawValue: unknown): ModelPart[] {
    const usage = readRawUsage(rawValue)
    if (!usage || isSame(usage, early)) return []
    early = usage
    return [{ type: 'usage', usage }]
  }

  return {
    read(part) {
      switch (part.type) {
        case 'text-start':
          return start('text', part.id, part.providerMetadata)
        case 'reasoning-start':
          return start('reasoning', part.id, part.providerMetadata)
        case 'text-delta':
          return add(open.get(`text ${part.id}`), part.delta, part.providerMetadata)
        case 'reasoning-delta':
          return add(open.get(`reasoning ${part.id}`), part.delta, part.providerMetadata)
        case 'text-end':
        case 'reasoning-end': {
          const key = `${part.type === 'text-end' ? 'text' : 'reasoning'} ${part.id}`
          const target = open.get(key)
          open.delete(key)
          return target ? end(target, part.providerMetadata) : []
        }
        case 'tool-input-start':
          return part.providerExecuted ? [] : startCall(part.id, part.toolName)
        case 'tool-input-delta':
          return add(calls.get(part.id), part.delta, part.providerMetadata)
        case 'tool-call':
          return part.providerExecuted ? [] : call(part)
        case 'raw':
          return rawUsage(part.rawValue)
        case 'finish':
          return finish(part)
        case 'custom':
        case 'tool-input-end':
        case 'tool-result':
        case 'tool-approval-request':
        case 'file':
        case 'reasoning-file':
        case 'source':
        case 'stream-start':
        case 'response-metadata':
        case 'ping':
        case 'error':
          return []
      }
    },
  }
}

type PackageUsage = Extract<PackagePart, { type: 'finish' }>['usage']

function isSame(one: RequestUsage, other: RequestUsage): boolean {
  return (
    one.inputTokens === other.inputTokens &&
    one.cacheReadTokens === other.cacheReadTokens &&
    one.outputTokens === other.outputTokens &&
    one.cacheCreation5mTokens === other.cacheCreation5mTokens &&
    one.cacheCreation1hTokens === other.cacheCreation1hTokens &&
    one.thinkingTokens === other.thinkingTokens
  )
}

/** The figures of the end; null when the package has none. Its creation is split only as far as the vendor's own split it. */
function usageOf({ inputTokens, outputTokens }: PackageUsage, early: RequestUsage): RequestUsage | null {
  const total = asCount(inputTokens.total)
  const output = asCount(outputTokens.total)
  if (total === null && output === null) return null
  const cacheReadTokens = asCount(inputTokens.cacheRead) ?? 0
  const written = asCount(inputTokens.cacheWrite) ?? 0
  const cacheCreation1hTokens = Math.min(early.cacheCreation1hTokens, written)
  return {
    inputTokens:
      asCount(inputTokens.noCache) ?? (total === null ? null : Math.max(0, total - cacheReadTokens - written)),
    cacheReadTokens,
    cacheCreation5mTokens: written - cacheCreation1hTokens,
    cacheCreation1hTokens,
    outputTokens: output,
    thinkingTokens: asCount(outputTokens.reasoning) ?? 0,
  }
}

function finishOf(
  unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'other',
  called: boolean,
): ModelFinish {
  switch (unified) {
    case 'length':
      return 'length'
    case 'content-filter':
      return 'refused'
    case 'tool-calls':
      return 'tool-calls'
    case 'stop':
    case 'other':
      return called ? 'tool-calls' : 'end'
  }
}
