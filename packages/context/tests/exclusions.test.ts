import type { AnswerBlock, Entry, NewEntry } from '@holdfast/conversation'
import {
  conversationCreated,
  logOf,
  runStarted,
  stepFinished,
  toolCallBlock,
  toolCallSettled,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { describe, expect, it } from 'vitest'
import { requestOf } from './built.ts'
import { started } from './run-log.ts'

const engine = { type: 'engine' } as const

function write(...entries: readonly NewEntry[]): Entry[] {
  return logOf('a', [conversationCreated('user_1'), ...entries])
}

function messagesOf(...entries: readonly NewEntry[]) {
  return requestOf(write(...entries)).messages
}

/** What is said, and what the model answers to it. */
function exchange(asked: string, blocks: AnswerBlock[]): NewEntry[] {
  return [
    runStarted('run_1', 'turn'),
    userMessageSent('run_1', 'input_1', asked),
    started('run_1', 'step_1', 'turn', 0),
    stepFinished('run_1', 'step_1', blocks),
  ]
}

describe('the request of a conversation with results that a person left out', () => {
  it('[TOOL10, REQ2] holds a mark for a result that a person left out, after its call, until it is taken back', () => {
    const log = [
      ...exchange('Look', [toolCallBlock('c1', 'read'), toolCallBlock('c2', 'read')]),
      toolCallSettled('run_1', 'step_1', { callId: 'c1', name: 'read', outcome: 'ok' }),
      toolCallSettled('run_1', 'step_1', { callId: 'c2', name: 'read', outcome: 'error' }),
    ]
    const exclude = (resultSeq: number, isExcluded: boolean): NewEntry => {
      return { type: 'exclusion-changed', actor: engine, resultSeq, isExcluded }
    }
    const before = messagesOf(...log)
    const [asked, answer, first, second] = before
    const sent = messagesOf(...log, exclude(7, true))
    expect(sent).toEqual([asked, answer, first, { ...second, content: [{ type: 'text', text: expect.any(String) }] }])
    expect(JSON.stringify(sent)).toContain('<note kind=\\"excluded\\">')
    expect(JSON.stringify(sent)).toContain('read: ok')
    expect(JSON.stringify(sent)).not.toContain('read: error')
    const both = JSON.stringify(messagesOf(...log, exclude(7, true), exclude(6, true)))
    expect(both).not.toMatch(/read: (ok|error)/)
    expect(messagesOf(...log, exclude(7, true), exclude(7, false))).toEqual(before)
  })

  it('[TOOL10, AGENT4] holds the mark also where the reply is told as that of another agent', () => {
    const [begun, asked, request, ...rest] = exchange('Look', [toolCallBlock('c1', 'read')])
    if (!begun || !asked || request?.type !== 'step-started') throw new Error('An exchange begins otherwise')
    const log = write(
      ...[begun, asked, { ...request, agent: { agentId: 'ada', name: 'Ada' } }, ...rest],
      toolCallSettled('run_1', 'step_1', { callId: 'c1', name: 'read', outcome: 'ok' }),
      { type: 'exclusion-changed', actor: engine, resultSeq: 6, isExcluded: true },
    )
    const sent = JSON.stringify(requestOf(log).messages)
    expect(sent).toContain('reply agent=')
    expect(sent).toContain('left this result out')
    expect(sent).not.toContain('read: ok')
  })
})
