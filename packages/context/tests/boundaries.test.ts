import { boundariesBetween, boundariesOf, canonicalText, receiptText, requestFacts } from '@holdfast/context'
import { type NewEntry, THINKING_OFF } from '@holdfast/conversation'
import {
  conversationCreated,
  logOf,
  pathRewound,
  runFinished,
  titleChanged,
  wholeTurn,
} from '@holdfast/conversation/testing'
import { describe, expect, it } from 'vitest'
import { requestOf } from './built.ts'
import { notice, started, tool } from './run-log.ts'

const engine = { type: 'engine' } as const

function boundariesAfterTurn(...entries: readonly NewEntry[]) {
  const log = logOf('a', [
    conversationCreated('user_1'),
    ...wholeTurn(1, { asked: 'Hi', answered: 'Hello' }),
    ...entries,
  ])
  return boundariesBetween(boundariesOf(log), { afterSeq: 8, toSeq: log.length }).map(
    ({ reason, brokenFrom, keptToSeq }) => [reason, brokenFrom, keptToSeq],
  )
}

describe('boundaries', () => {
  it('[REQ5] say what each breaks', () => {
    expect(
      boundariesAfterTurn(
        { type: 'tools-changed', actor: engine, hash: 'a', definitions: [tool('read')] },
        { type: 'settings-changed', actor: engine, changes: { instructions: 'Be long.' } },
        { type: 'settings-changed', actor: engine, changes: { parameters: { temperature: 1 } } },
        { type: 'agent-switched', actor: engine, agentId: 'b', agentName: 'B' },
        pathRewound(3),
        { type: 'path-selected', actor: engine, headSeq: 8 },
        { type: 'window-moved', actor: engine, startSeq: 4, leftOutCount: 1 },
        notice('thinking-dropped'),
        notice('excerpts-smaller'),
        { type: 'checkpoint-undone', actor: engine, checkpointSeq: 2 },
        { type: 'exclusion-changed', actor: engine, resultSeq: 5, isExcluded: true },
      ),
    ).toEqual([
      ['tools', 'tools', null],
      ['instructions', 'system', null],
      ['parameters', 'messages', null],
      ['agent', 'tools', null],
      ['rewind', 'path', 3],
      ['branch', 'path', 8],
      ['window', 'messages', null],
      ['thinking-dropped', 'messages', null],
      ['excerpts', 'messages', null],
      ['checkpoint-undone', 'messages', null],
      ['exclusion', 'messages', null],
    ])
  })

  it('[REQ5] are not there for what no request holds', () => {
    expect(
      boundariesAfterTurn(
        titleChanged('A title', 'user'),
        notice('no-sandbox'),
        { type: 'settings-changed', actor: engine, changes: { permissionMode: 'plan' } },
        { type: 'settings-changed', actor: engine, changes: { toolMode: 'all-on' } },
        started('run_2', 'step_2', 'title', 2),
      ),
    ).toEqual([])
  })

  it('[REQ5] are recorded by the first request to another model, or of another builder', () => {
    const demo = started('run_2', 'step_2', 'turn', 9)
    if (demo.type !== 'step-started') throw new Error('A step begins otherwise')
    const same = { ...demo, providerId: 'demo', modelId: 'demo' }
    expect(boundariesAfterTurn(same)).toEqual([])
    expect(boundariesAfterTurn(demo)).toEqual([['model', 'tools', null]])
    expect(boundariesAfterTurn({ ...same, builderVersion: 2 })).toEqual([['builder', 'tools', null]])
  })

  it('[REQ5, TOOL10] are recorded by the first request that can call nothing, and the first that can again', () => {
    const demo = started('run_2', 'step_2', 'turn', 9)
    if (demo.type !== 'step-started') throw new Error('A step begins otherwise')
    const same = { ...demo, providerId: 'demo', modelId: 'demo' }
    const quiet = { ...same, toolChoice: 'none' as const }
    expect(boundariesAfterTurn(quiet, quiet)).toEqual([['tools', 'messages', null]])
    expect(boundariesAfterTurn(quiet, same)).toEqual([
      ['tools', 'messages', null],
      ['tools', 'messages', null],
    ])
  })

  it('[RUN13] stand where thinking is turned off for a run, and where that run ends', () => {
    expect(
      boundariesAfterTurn(
        { ...notice(THINKING_OFF), runId: 'run_2' },
        runFinished('run_1', 'failed'),
        runFinished('run_2', 'failed'),
      ),
    ).toEqual([
      ['parameters', 'messages', null],
      ['parameters', 'messages', null],
    ])
  })

  it('[REQ4] outlast a rewind: what unbinds thinking belongs to the conversation', () => {
    const changed: NewEntry = { type: 'tools-changed', actor: engine, hash: 'a', definitions: [tool('read')] }
    const log = logOf('a', [conversationCreated('user_1'), changed, pathRewound(1)])
    expect(requestFacts.reduce(requestFacts.initial, log)).toMatchObject({ unboundBeforeSeq: 2 })
  })
})

describe('the canonical text', () => {
  it('[REQ5] has no cache marks in it, and the text of a receipt has', () => {
    const request = requestOf(
      logOf('a', [conversationCreated('user_1'), ...wholeTurn(1, { asked: 'Hi', answered: 'Hello' })]),
    )
    const marked = { ...request, cacheMarks: { ttl: '5m' as const, system: true, messages: [0] } }
    expect(canonicalText(marked)).toBe(canonicalText(request))
    expect(receiptText(marked)).not.toBe(receiptText(request))
    expect(receiptText(marked).startsWith(canonicalText(request))).toBe(true)
  })
})
