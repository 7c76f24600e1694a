import type { AnswerBlock } from '@holdfast/conversation'
import type { SentStep } from '../sent/sent-steps.ts'
import { wellFormedJson } from './text.ts'

type CallBlock = Extract<AnswerBlock, { type: 'tool-call' }>

/**
 * What of an answer is sent: its text, its whole calls, and the thinking that still holds. Half a tool input,
 * unsigned thinking and thinking that leads to nothing are left out; an answer without words and calls is nothing
 * at all. [REQ2, REQ4, RUN10, RUN12, STOP4]
 */
export function answerBlocks(blocks: readonly AnswerBlock[], step: SentStep): AnswerBlock[] {
  const sent = blocks.flatMap((block) => sentBlock(block, step))
  while (sent.at(-1)?.type === 'thinking') sent.pop()
  return sent
}

function sentBlock(block: AnswerBlock, step: SentStep): AnswerBlock[] {
  switch (block.type) {
    case 'text': {
      const text = block.text.toWellFormed()
      return text.trim() === '' ? [] : [{ type: 'text', text, ...stateOf(block, step) }]
    }
    case 'thinking': {
      const { text, providerState } = block
      if (providerState === undefined || !step.sendsThinking || !text.isWellFormed()) return []
      return [{ type: 'thinking', text, providerState }]
    }
    case 'tool-call': {
      const { callId, name } = block
      if (!block.complete) return []
      const inputText = sentInput(block)
      return [
        { type: 'tool-call', callId, name: sentToolName(name), inputText, complete: true, ...stateOf(block, step) },
      ]
    }
  }
}

/** Provider state goes to who gave it and to nobody else. [REQ4] */
function stateOf({ providerState }: AnswerBlock, { isOwn }: SentStep): Pick<AnswerBlock, 'providerState'> {
  return isOwn && providerState !== undefined ? { providerState } : {}
}

/** The input's own bytes if they are one JSON object, else an object that quotes them. [RUN10] */
function sentInput({ inputText }: CallBlock): string {
  if (inputText.trim() === '') return '{}'
  const text = wellFormedJson(inputText)
  return isObjectText(text) ? text : JSON.stringify({ invalid_json: inputText.toWellFormed() })
}

function sentToolName(name: string): string {
  return name.trim() === '' ? 'unnamed' : name.toWellFormed()
}

function isObjectText(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch (error) {
    if (error instanceof SyntaxError) return false
    throw error
  }
}
