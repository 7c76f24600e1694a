import type { FormatName } from '../format-name.ts'
import type { JsonRecord } from '../json.ts'
import type { Reply } from '../reply.ts'
import type { Operation } from './record.ts'

/** A request as a script sees it: it was not refused. */
export interface SeenRequest {
  readonly number: number
  readonly format: FormatName
  readonly operation: Operation
  readonly model: string
  readonly body: JsonRecord
}

/** What to answer, fixed or made from the request. */
export type Scripted = Reply | ((request: SeenRequest) => Reply)

/** Which reply answers which request. */
export interface ScriptBook {
  /** Replies for the next requests, in order. */
  add(replies: readonly Scripted[]): void
  /** A reply for all requests that match; it comes before the queue, the newest first. */
  addRule(matches: (request: SeenRequest) => boolean, reply: Scripted): void
  /** What is answered where nothing else is. */
  setDefault(reply: Scripted): void
  take(request: SeenRequest): Reply
}

const SILENT_MODEL: Reply = {
  parts: [{ type: 'text', text: 'This is the strict provider. No model stands behind it.' }],
}

/** An empty book: every request gets a sentence that says who answers. */
export function createScriptBook(): ScriptBook {
  const queue: Scripted[] = []
  const rules: { readonly matches: (request: SeenRequest) => boolean; readonly reply: Scripted }[] = []
  let otherwise: Scripted = SILENT_MODEL
  return {
    add(replies) {
      queue.push(...replies)
    },
    addRule(matches, reply) {
      rules.unshift({ matches, reply })
    },
    setDefault(reply) {
      otherwise = reply
    },
    take(request) {
      const scripted = rules.find(({ matches }) => matches(request))?.reply ?? queue.shift() ?? otherwise
      return typeof scripted === 'function' ? scripted(request) : scripted
    },
  }
}
