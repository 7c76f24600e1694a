import { buildRequest, canonicalText } from '@holdfast/context'
import type { Entry, NewEntry } from '@holdfast/conversation'
import {
  arbitraryLog,
  conversationCreated,
  logOf,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  titleChanged,
  toolCallBlock,
  toolCallSettled,
  userMessageSent,
  wholeTurn,
} from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const engine = { type: 'engine' } as const

function requestOf(entries: readonly Entry[]) {
  return buildRequest({ modelId: 'model', system: 'Be brief.', entries })
}

function messagesOf(entries: readonly NewEntry[]) {
  return requestOf(logOf('a', [conversationCreated('user_1'), ...entries])).messages
}

describe('the request', () => {
  it('[REQ1] is the same text for the same log, whatever it holds', () => {
    fc.assert(
      fc.property(arbitraryLog, (log) => {
        const copy: Entry[] = JSON.parse(JSON.stringify(log))
        expect(canonicalText(requestOf(copy))).toBe(canonicalText(requestOf(log)))
      }),
    )
  })

  it('[REQ2] begins with the person, and never has two of their messages in a row', () => {
    fc.assert(
      fc.property(arbitraryLog, (log) => {
        const roles = requestOf(log).messages.map(({ role }) => role)
        roles.forEach((role, index) => {
          if (role === 'user') expect(roles[index - 1]).not.toBe('user')
        })
      }),
    )
    expect(messagesOf(wholeTurn(1, { asked: 'Hi', answered: 'Hello' }))[0]?.role).toBe('user')
  })

  it('[REQ3] holds no title, notice or error, and nothing of a run beside the turns', () => {
    const messages = messagesOf([
      ...wholeTurn(1, { asked: 'Hi', answered: 'Hello' }),
      runStarted('run_2', 'title'),
      stepStarted('run_2', 'step_2', 'title'),
      stepFinished('run_2', 'step_2', [textBlock('Greeting')]),
      titleChanged('Greeting', 'auto'),
      runFinished('run_2', 'completed'),
      { type: 'notice-raised', actor: engine, code: 'no-sandbox', severity: 'warning', text: 'No sandbox here' },
    ])
    expect(JSON.stringify(messages)).not.toMatch(/Greeting|sandbox/)
    expect(messages).toHaveLength(2)
  })

  it('[REQ4] leaves out thinking that is not signed, and keeps what is', () => {
    const messages = messagesOf([
      runStarted('run_1', 'turn'),
      userMessageSent('run_1', 'input_1', 'Hi'),
      stepFinished('run_1', 'step_1', [
        { type: 'thinking', text: 'signed', providerState: { signature: 'abc' } },
        { type: 'thinking', text: 'cut' },
        textBlock('Hello'),
      ]),
    ])
    expect(messages[1]).toEqual({
      role: 'assistant',
      blocks: [
        { type: 'thinking', text: 'signed', providerState: { signature: 'abc' } },
        { type: 'text', text: 'Hello' },
      ],
    })
  })

  it('[RUN12] has no message for an answer without content, nor for one that only thought', () => {
    const turn = (blocks: Parameters<typeof stepFinished>[2]): NewEntry[] => [
      runStarted('run_1', 'turn'),
      userMessageSent('run_1', 'input_1', 'Hi'),
      stepFinished('run_1', 'step_1', blocks),
      runFinished('run_1', 'completed'),
    ]
    const thought = { type: 'thinking' as const, text: 'only', providerState: { signature: 'abc' } }
    for (const blocks of [[], [textBlock(' \n')], [thought]]) {
      expect(messagesOf(turn(blocks)).map(({ role }) => role)).toEqual(['user'])
    }
  })

  it('[RUN10] leaves out a call whose input was cut, and answers every whole one', () => {
    const messages = messagesOf([
      runStarted('run_1', 'turn'),
      userMessageSent('run_1', 'input_1', 'List'),
      stepFinished('run_1', 'step_1', [
        textBlock('Looking'),
        toolCallBlock('call_1', 'list'),
        { ...toolCallBlock('call_2', 'read'), inputText: '{"pa', complete: false },
      ]),
      toolCallSettled('run_1', 'step_1', { callId: 'call_1', name: 'list', outcome: 'error' }),
    ])
    expect(messages[1]).toMatchObject({ blocks: [{ type: 'text' }, { type: 'tool-call', callId: 'call_1' }] })
    expect(messages[2]).toMatchObject({ role: 'tool', callId: 'call_1', isError: true })
    expect(messages).toHaveLength(3)
  })
})
