import type { RequestMessage } from '../model-port.ts'

/** Ids of calls that came from another provider, in a form that a provider accepts. The same id gives the same form. */
export type WireCallId = (callId: string) => string

/** Ids as Anthropic and OpenAI take them: letters, digits, `_` and `-`, at most 64 (and 40) of them. */
export function plainCallId(callId: string): string {
  if (/^[a-zA-Z0-9_-]{1,40}$/.test(callId)) return callId
  return `${callId.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, 31)}_${fingerprint(callId)}`
}

/** Ids as Mistral takes them: exactly nine letters and digits. */
export function shortCallId(callId: string): string {
  return /^[a-zA-Z0-9]{9}$/.test(callId) ? callId : `c${fingerprint(callId)}`
}

/** Gives calls their ids: the provider's own, or one of ours where it sent none or one that is taken. [RUN11] */
export interface CallIds {
  /** @param sent - what the provider sent; null when it sent nothing. */
  give(sent: string | null): string
}

/** Ids for the calls of one answer. Those of the request's history are taken already. */
export function createCallIds({
  messages,
  next,
}: {
  readonly messages: readonly RequestMessage[]
  readonly next: () => string
}): CallIds {
  const taken = new Set<string>()
  for (const message of messages) {
    if (message.role !== 'assistant') continue
    for (const block of message.blocks) if (block.type === 'tool-call') taken.add(block.callId)
  }
  return {
    give(sent) {
      const callId = sent === null || sent === '' || taken.has(sent) ? next() : sent
      taken.add(callId)
      return callId
    },
  }
}

/** Eight hexadecimal digits of the text, by FNV-1a. Not for secrets. */
function fingerprint(text: string): string {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return (hash >>> 0).toString(16).padStart(8, '0')
}
