import type { ModelPart } from '../model-port.ts'
import type { CallIds } from '../wire/call-ids.ts'
import { asRecord, asString, type JsonRecord } from '../wire/json-reader.ts'
import { isWholeInput } from '../wire/tool-input.ts'

/** The calls of one answer: which delta belongs to which. [RUN11] */
export interface CallCollector {
  readonly count: number
  add(delta: JsonRecord): ModelPart[]
  /** Ends every call whose input is whole; the others too, unless the end cut them. [STOP4] */
  end(cutByLength: boolean): ModelPart[]
}

interface Call {
  readonly index: unknown
  readonly sentId: string | null
  /** Null until its name is known: nothing is shown of it before. */
  block: number | null
  name: string
  inputText: string
}

/** @param nextBlock - gives the next number of a block. */
export function createCallCollector({
  callIds,
  nextBlock,
}: {
  readonly callIds: CallIds
  readonly nextBlock: () => number
}): CallCollector {
  const calls: Call[] = []

  /**
   * By index; but servers that number every call 0 tell them apart by id and name, and servers without an index by
   * beginning each with its name.
   */
  function callOf(index: unknown, sentId: string | null, name: string | null): Call {
    const known = calls.findLast((call) => (index === null ? true : call.index === index))
    const begins = name !== null && name !== ''
    const another = known !== undefined && begins && sentId !== null && sentId !== known.sentId
    const unnumbered = known !== undefined && begins && index === null && sentId === null
    if (known && !another && !unnumbered) return known
    const call: Call = { index, sentId, block: null, name: '', inputText: '' }
    calls.push(call)
    return call
  }

  function open(call: Call): ModelPart[] {
    call.block = nextBlock()
    const start = { type: 'tool-call', callId: callIds.give(call.sentId), name: call.name } as const
    const text = call.inputText
    return [
      { type: 'block-started', block: call.block, start },
      ...(text === '' ? [] : [{ type: 'block-delta', block: call.block, text } as const]),
    ]
  }

  function endCall(call: Call): ModelPart[] {
    const opened = call.block === null ? open(call) : []
    const block = call.block
    if (block === null) return opened
    const filled = call.inputText === '' ? [{ type: 'block-delta', block, text: '{}' } as const] : []
    return [...opened, ...filled, { type: 'block-ended', block }]
  }

  return {
    get count() {
      return calls.length
    },
    add(delta) {
      const part = asRecord(delta.function) ?? {}
      const sentId = asString(delta.id)
      const name = asString(part.name)
      const call = callOf(delta.index ?? null, sentId === '' ? null : sentId, name)
      const text = argumentsText(part.arguments)
      call.inputText += text
      if (call.block !== null) return text === '' ? [] : [{ type: 'block-delta', block: call.block, text }]
      call.name = name ?? ''
      return call.name === '' ? [] : open(call)
    },
    end: (cutByLength) =>
      calls.flatMap((call) =>
        cutByLength && (call.inputText === '' || !isWholeInput(call.inputText)) ? [] : endCall(call),
      ),
  }
}

/** A string, piece by piece; some servers send the object itself. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return asRecord(value) ? JSON.stringify(value) : ''
}
