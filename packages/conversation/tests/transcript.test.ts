import {
  type NewEntry,
  noTotals,
  ProviderErrorCode,
  type TranscriptItem,
  type TranscriptItemOf,
  transcript,
  visibleItems,
} from '@holdfast/conversation'
import {
  arbitraryLog,
  checkpointMade,
  conversationCreated,
  inputAdmitted,
  logOf,
  pathRewound,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  titleChanged,
  toolCallBlock,
  toolCallSettled,
  toolCallStarted,
  usageRecorded,
  userMessageSent,
  wholeTurn,
} from '@holdfast/conversation/testing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const engine = { type: 'engine' } as const

function itemsOf(entries: readonly NewEntry[]): readonly TranscriptItem[] {
  const log = logOf('a', [conversationCreated('user_1'), ...entries])
  return transcript.reduce(transcript.initial, log).items
}

function failed(stepId: string): NewEntry {
  const error = { code: 'overloaded' as const, message: 'Too busy', status: 529 }
  return { type: 'step-failed', actor: engine, runId: 'run_1', stepId, error, attempt: 1 }
}

/** What an item is. That a role or a code is missing here, or is one too many, does not compile. */
function kindOf(item: TranscriptItem): string {
  if (item.state === 'erased') return `erased ${item.role}`
  switch (item.role) {
    case 'user':
    case 'assistant':
    case 'title-request':
    case 'title':
    case 'summary-request':
    case 'summary':
      return item.role
    case 'accounting':
      return accountingKind(item)
    case 'notice':
      return noticeKind(item)
    case 'error':
      return errorKind(item)
  }
}

function accountingKind({ code }: TranscriptItemOf<'accounting'>): string {
  switch (code) {
    case 'path-rewound':
    case 'conversation-archived':
      return `accounting ${code}`
  }
}

function noticeKind({ code }: TranscriptItemOf<'notice'>): string {
  switch (code) {
    case 'notice-raised':
    case 'checkpoint-undone':
    case 'window-moved':
    case 'agent-switched':
    case 'files-restored':
      return `notice ${code}`
  }
}

function errorKind({ code }: TranscriptItemOf<'error'>): string {
  switch (code) {
    case 'auth':
    case 'rate-limit':
    case 'quota':
    case 'too-long':
    case 'network':
    case 'overloaded':
    case 'model-missing':
    case 'refused':
    case 'bad-request':
    case 'internal':
      return `error ${code}`
  }
}

describe('the transcript', () => {
  it('[PRJ7] says by role and code what each item is', () => {
    const restores = { type: 'since', seq: 1 } as const
    const failures = ProviderErrorCode.options.map((code): NewEntry => {
      const error = { code, message: 'No' }
      return { type: 'step-failed', actor: engine, runId: 'run_1', stepId: 'step_9', error, attempt: 1 }
    })
    const erased = { type: 'body-erased', actor: engine, of: {}, reason: 'asked for', erasedAt: 9_000 } as const
    const items = itemsOf([
      userMessageSent('run_1', 'input_1', 'Hello'),
      stepFinished('run_1', 'step_1', [textBlock('Hi')]),
      pathRewound(0),
      { type: 'conversation-archived', actor: engine, reason: 'reset', totals: noTotals },
      { type: 'notice-raised', actor: engine, code: 'of-a-tool', severity: 'info', text: 'Look' },
      { type: 'checkpoint-undone', actor: engine, checkpointSeq: 2 },
      { type: 'window-moved', actor: engine, startSeq: 1, leftOutCount: 3 },
      { type: 'agent-switched', actor: engine, agentId: 'agent_1', agentName: 'Ada' },
      { type: 'files-changed', actor: engine, restores, changes: [{ path: 'a.txt', kind: 'created' }] },
      ...failures,
      { ...erased, erasedType: 'notice-raised' },
      { ...erased, erasedType: 'step-failed' },
    ])
    expect(items.map(kindOf)).toEqual([
      'user',
      'assistant',
      'accounting path-rewound',
      'accounting conversation-archived',
      'notice notice-raised',
      'notice checkpoint-undone',
      'notice window-moved',
      'notice agent-switched',
      'notice files-restored',
      ...ProviderErrorCode.options.map((code) => `error ${code}`),
      'erased notice',
      'erased error',
    ])
  })

  it('[PRJ4] gives each entry that a person reads its role, and the others none', () => {
    const table: readonly (readonly [NewEntry, readonly string[]])[] = [
      [inputAdmitted('input_1', 'Hello'), []],
      [runStarted('run_1', 'turn'), []],
      [userMessageSent('run_1', 'input_1', 'Hello'), ['user']],
      [stepStarted('run_1', 'step_1', 'turn'), []],
      [stepFinished('run_1', 'step_1', [textBlock('Hi')]), ['assistant']],
      [stepStarted('run_1', 'step_1', 'title'), ['title-request']],
      [titleChanged('Greetings', 'auto'), ['title']],
      [stepStarted('run_1', 'step_1', 'checkpoint'), ['summary-request']],
      [checkpointMade({ fromSeq: 1, toSeq: 1 }, 'They greeted'), ['summary']],
      [stepStarted('run_1', 'step_1', 'sampling'), []],
      [pathRewound(0), ['accounting']],
      [{ type: 'conversation-archived', actor: engine, reason: 'person', totals: noTotals }, ['accounting']],
      [
        { type: 'notice-raised', actor: engine, code: 'no-sandbox', severity: 'warning', text: 'No sandbox' },
        ['notice'],
      ],
      [{ type: 'agent-switched', actor: engine, agentId: 'agent_1', agentName: 'Ada' }, []],
      [{ type: 'window-moved', actor: engine, startSeq: 1, leftOutCount: 3 }, ['notice']],
      [failed('step_1'), ['error']],
      [usageRecorded('run_1', 'step_1', { input: 1, output: 1 }), []],
      [{ type: 'context-noted', actor: engine, section: 'time', text: 'Noon' }, []],
      [{ type: 'stop-noted', actor: engine, runId: 'run_1', text: 'Stopped' }, []],
      [runFinished('run_1', 'completed'), []],
    ]
    const switched: NewEntry = { type: 'agent-switched', actor: engine, agentId: 'agent_1', agentName: 'Ada' }
    expect(itemsOf([inputAdmitted('input_1', 'Hello'), switched])).toMatchObject([
      { role: 'notice', parts: [{ text: 'Ada' }], code: 'agent-switched', agentId: 'agent_1' },
    ])
    for (const [entry, roles] of table)
      expect(
        itemsOf([entry]).map(({ role }) => role),
        entry.type,
      ).toEqual(roles)
  })

  it('[PERM3] keeps with a call when it began, what was asked about it, and the answer', () => {
    const requested: NewEntry = {
      type: 'permission-requested',
      actor: engine,
      runId: 'run_1',
      stepId: 'step_1',
      requestId: 'request_1',
      userId: 'user_1',
      callId: 'call_1',
      tool: 'edit_file',
      input: {},
      reason: 'It changes a file',
      source: 'default-policy',
    }
    const settled: NewEntry = {
      type: 'permission-settled',
      actor: { type: 'person', userId: 'user_1' },
      requestId: 'request_1',
      outcome: 'allowed',
      by: 'person',
      scope: 'conversation',
    }
    const entries = [
      stepFinished('run_1', 'step_1', [toolCallBlock('call_1', 'edit_file'), toolCallBlock('call_2', 'read_file')]),
      requested,
      settled,
      toolCallStarted('run_1', 'step_1', { callId: 'call_1', name: 'edit_file' }),
    ]
    const callAfter = (count: number) => itemsOf(entries.slice(0, count))[0]?.toolCalls[0]
    expect(callAfter(2)).toMatchObject({
      state: 'waiting-for-permission',
      startedAt: null,
      permission: { requestId: 'request_1', reason: 'It changes a file', requestedAt: 1_002, settled: null },
    })
    expect(callAfter(3)).toMatchObject({
      state: 'pending',
      permission: { settled: { outcome: 'allowed', by: 'person', scope: 'conversation', at: 1_003 } },
    })
    expect(callAfter(4)).toMatchObject({ state: 'running', startedAt: 1_004 })
    expect(itemsOf(entries)[0]?.toolCalls[1]).toMatchObject({ state: 'pending', startedAt: null, permission: null })
  })

  it('[PRJ4] puts calls, outcomes and usage at the answer that they belong to', () => {
    const [answer] = itemsOf([
      stepStarted('run_1', 'step_1', 'turn'),
      stepFinished('run_1', 'step_1', [
        textBlock('Let me look'),
        toolCallBlock('call_1', 'read'),
        toolCallBlock('call_2', 'read'),
      ]),
      usageRecorded('run_1', 'step_1', { input: 10, output: 5 }),
      toolCallStarted('run_1', 'step_1', { callId: 'call_1', name: 'read' }),
      toolCallSettled('run_1', 'step_1', { callId: 'call_1', name: 'read', outcome: 'error' }),
      toolCallStarted('run_1', 'step_1', { callId: 'call_2', name: 'read' }),
    ])
    expect(answer?.parts).toEqual([textBlock('Let me look')])
    expect(answer?.usage).toMatchObject({ inputTokens: 10, outputTokens: 5, measured: true })
    expect(answer?.toolCalls).toMatchObject([
      { callId: 'call_1', state: 'settled', outcome: 'error', durationMs: 12, output: [{ text: 'read: error' }] },
      { callId: 'call_2', state: 'running', outcome: null },
    ])
  })

  it('[TOOL4] shows what a tool returned late beside the outcome that counts, also after the run', () => {
    const items = itemsOf([
      stepFinished('run_1', 'step_1', [toolCallBlock('call_1', 'read')]),
      toolCallSettled('run_1', 'step_1', { callId: 'call_1', name: 'read', outcome: 'timed-out' }),
      runFinished('run_1', 'completed'),
      {
        type: 'tool-result-late',
        actor: engine,
        runId: 'run_1',
        stepId: 'step_1',
        callId: 'call_1',
        name: 'read',
        content: [{ type: 'text', text: 'at last' }],
        durationMs: 9,
      },
    ])
    expect(items).toHaveLength(1)
    expect(items[0]?.toolCalls).toMatchObject([{ outcome: 'timed-out', late: [{ type: 'text', text: 'at last' }] }])
  })

  it('[RUN5] says of an answer that was cut what cut it', () => {
    const cut: NewEntry = {
      type: 'step-finished',
      actor: engine,
      runId: 'run_1',
      stepId: 'step_1',
      blocks: [textBlock('Hal')],
      finish: 'cut',
      cut: 'stopped',
    }
    expect(itemsOf([cut])).toMatchObject([{ role: 'assistant', state: 'stopped', finish: 'cut' }])
  })

  it('[PRJ4] puts the answer to a title request into the request, and its failure too', () => {
    const asked = stepStarted('run_1', 'step_1', 'title')
    expect(itemsOf([asked, stepFinished('run_1', 'step_1', [textBlock('Greetings')])])).toMatchObject([
      { role: 'title-request', state: 'complete', parts: [textBlock('Greetings')] },
    ])
    expect(itemsOf([asked, failed('step_1')])).toMatchObject([
      { role: 'title-request', state: 'failed' },
      { role: 'error', parts: [textBlock('Too busy')], code: 'overloaded', attempt: 1, retryAt: null },
    ])
  })

  it('[PRJ6] hides what is set aside, except the accounting lines', () => {
    const log = logOf('a', [
      conversationCreated('user_1'),
      ...wholeTurn(1, { asked: 'first', answered: 'one' }),
      ...wholeTurn(2, { asked: 'second', answered: 'two' }),
      pathRewound(8),
      userMessageSent('run_3', 'input_3', 'third'),
      pathRewound(0),
    ])
    const state = (count: number) => transcript.reduce(transcript.initial, log.slice(0, count))
    const shown = (count: number) => visibleItems(state(count)).map(({ role, seq }) => `${role} ${seq}`)
    expect(shown(15)).toEqual(['user 4', 'assistant 6', 'user 11', 'assistant 13'])
    expect(shown(17)).toEqual(['user 4', 'assistant 6', 'accounting 16', 'user 17'])
    expect(shown(18)).toEqual(['accounting 16', 'accounting 18'])
    expect(state(18).items).toHaveLength(7)
  })

  it('[LOG9] shows that something was erased, and where', () => {
    const erased = (erasedType: string, of: object): NewEntry => ({
      type: 'body-erased',
      actor: engine,
      erasedType,
      of,
      reason: 'asked for',
      erasedAt: 9_000,
    })
    const items = itemsOf([
      erased('input-admitted', { inputId: 'input_1' }),
      erased('user-message-sent', { runId: 'run_1', inputId: 'input_1' }),
      erased('step-finished', { runId: 'run_1', stepId: 'step_1' }),
      usageRecorded('run_1', 'step_1', { input: 1, output: 2 }),
      stepFinished('run_1', 'step_2', [toolCallBlock('call_1', 'read')]),
      erased('tool-call-settled', { runId: 'run_1', stepId: 'step_2', callId: 'call_1' }),
      stepStarted('run_2', 'step_3', 'title'),
      erased('step-finished', { runId: 'run_2', stepId: 'step_3' }),
      erased('title-changed', { runId: 'run_2' }),
      erased('step-finished', { runId: 'run_3', stepId: 'step_4' }),
      failed('step_4'),
    ])
    expect(items).toMatchObject([
      { role: 'user', state: 'erased', parts: [], erasure: { reason: 'asked for', erasedAt: 9_000 } },
      { role: 'assistant', state: 'erased', parts: [], usage: { outputTokens: 2 } },
      { role: 'assistant', state: 'complete', toolCalls: [{ state: 'settled', outcome: null, output: [] }] },
      { role: 'title-request', state: 'erased', parts: [] },
      { role: 'title', state: 'erased', parts: [] },
      { role: 'assistant', state: 'erased', parts: [], erasure: { erasedAt: 9_000 } },
      { role: 'error', state: 'failed' },
    ])
  })

  it('[PRJ4] has the items of any log in the order of the log', () => {
    fc.assert(
      fc.property(arbitraryLog, (log) => {
        const seqs = transcript.reduce(transcript.initial, log).items.map(({ seq }) => seq)
        expect(seqs).toEqual([...new Set(seqs)].sort((a, b) => a - b))
      }),
    )
  })

  it('[COST2] copies the totals of a rewind into its accounting line', () => {
    expect(itemsOf([pathRewound(0)])).toMatchObject([
      { accounting: { reason: 'rewind', setAsideCount: 1, totals: noTotals } },
    ])
  })

  it('[AGENT3] names the conversation of the sub-agent that a call runs', () => {
    const call = { callId: 'call_1', name: 'delegate' }
    const child = { ...toolCallStarted('run_1', 'step_1', call), childConversationId: 'conversation_child' }
    const items = itemsOf([
      runStarted('run_1', 'turn'),
      stepStarted('run_1', 'step_1', 'turn'),
      stepFinished('run_1', 'step_1', [toolCallBlock('call_1', 'delegate'), toolCallBlock('call_2', 'read_file')]),
      child,
    ])
    expect(items[0]?.toolCalls.map(({ childConversationId }) => childConversationId)).toEqual([
      'conversation_child',
      null,
    ])
  })

  it('[WIN7] says from where on a checkpoint and a window send', () => {
    const items = itemsOf([
      checkpointMade({ fromSeq: 1, toSeq: 4 }, 'They greeted'),
      { type: 'window-moved', actor: engine, startSeq: 7, leftOutCount: 3 },
    ])
    expect(items).toMatchObject([
      { coversFromSeq: 1, coversToSeq: 4, keptFromSeq: 5 },
      { startSeq: 7, leftOutCount: 3 },
    ])
  })

  it('[COST3] says of an answer which model gave it and where its price is from', () => {
    const items = itemsOf([
      runStarted('run_1', 'turn'),
      stepStarted('run_1', 'step_1', 'turn'),
      stepFinished('run_1', 'step_1', [textBlock('Hi')]),
      usageRecorded('run_1', 'step_1', { input: 1, output: 1 }),
    ])
    expect(items[0]?.usage).toMatchObject({ providerId: 'demo', modelId: 'demo', priceReference: 'test' })
  })

  it('[WS1] has what a call changed with the call, and what a person brought back as a notice', () => {
    const changes = [{ path: 'a.txt', kind: 'created' as const }]
    const restores = { type: 'run', runId: 'run_1' } as const
    const items = itemsOf([
      runStarted('run_1', 'turn'),
      stepStarted('run_1', 'step_1', 'turn'),
      stepFinished('run_1', 'step_1', [toolCallBlock('call_1', 'write')]),
      toolCallStarted('run_1', 'step_1', { callId: 'call_1', name: 'write' }),
      toolCallSettled('run_1', 'step_1', { callId: 'call_1', name: 'write', outcome: 'ok' }),
      { type: 'files-changed', actor: engine, runId: 'run_1', callId: 'call_1', changes },
      runFinished('run_1', 'completed'),
      { type: 'files-changed', actor: { type: 'person', userId: 'user_1' }, restores, changes },
    ])
    expect(items[0]?.toolCalls[0]?.changedFiles).toEqual(changes)
    expect(items[1]).toMatchObject({
      role: 'notice',
      runId: null,
      code: 'files-restored',
      restores,
      changed: changes,
      conflictCount: 0,
    })
  })
})
