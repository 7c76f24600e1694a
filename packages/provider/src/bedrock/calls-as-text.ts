import type { AnswerBlock, InputPart } from '@holdfast/conversation'
import type { ModelRequest, RequestMessage } from '../model-port.ts'

/**
 * The request in a form that Converse takes while nothing can be called: it refuses calls and results without
 * definitions, and has no way to turn definitions off. What was called and what it gave is told as text, marked as
 * data; nothing is left out but thinking, which is bound to the calls as they were. Every message keeps its place, so
 * that cache marks do. [TOOL10, REQ7]
 */
export function withCallsAsText(request: ModelRequest): ModelRequest {
  const canCall = request.tools.length > 0 && request.toolChoice === 'auto'
  if (canCall || !request.messages.some(({ role }) => role === 'tool')) return request
  const names = new Map<string, string>()
  return { ...request, messages: request.messages.map((message) => told(message, names)) }
}

/** @param names - of the calls so far, by id; filled on the way. */
function told(message: RequestMessage, names: Map<string, string>): RequestMessage {
  switch (message.role) {
    case 'user':
      return message
    case 'assistant':
      return { role: 'assistant', blocks: message.blocks.flatMap((block) => toldBlock(block, names)) }
    case 'tool': {
      const { callId, isError, content } = message
      const mark = `<result tool="${escaped(names.get(callId) ?? '')}" failed="${isError ? 'yes' : 'no'}">`
      const parts = content.map((part): InputPart => {
        return part.type === 'image' ? part : { type: 'text', text: `${mark}\n${escaped(part.text)}\n</result>` }
      })
      return { role: 'user', parts }
    }
  }
}

function toldBlock(block: AnswerBlock, names: Map<string, string>): AnswerBlock[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'thinking':
      return []
    case 'tool-call':
      names.set(block.callId, block.name)
      return [{ type: 'text', text: `<call tool="${escaped(block.name)}">${escaped(block.inputText)}</call>` }]
  }
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
}
