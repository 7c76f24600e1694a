import * as conversation from '@holdfast/conversation'
import { type RefusalCode, RefusedCommandError, RunActiveError, UnknownConversationError } from '@holdfast/engine'
import { ProtocolError } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { toProblem } from '../src/parts/to-problem.ts'

/** How a command that the engine refuses is told, by its code: clients compare these figures. */
const refusals: Readonly<Record<RefusalCode, number>> = {
  'already-answered': 409,
  'answer-refused': 422,
  'bad-element': 422,
  'canvas-full': 422,
  conflict: 409,
  'input-not-waiting': 409,
  'not-yours': 422,
  'nothing-to-restore': 409,
  'path-refused': 422,
  'rule-refused': 422,
  'no-base': 409,
  'run-active': 409,
  'scope-not-offered': 422,
  'settings-contradict': 422,
  'too-large': 413,
  'unknown-agent': 422,
  'unknown-checkpoint': 404,
  'unknown-conversation': 404,
  'unknown-element': 404,
  'unknown-message': 404,
  'unknown-model': 422,
  'unknown-permission-request': 404,
  'unknown-preset': 422,
  'unknown-question': 404,
  'unknown-result': 404,
  'workspace-not-permitted': 422,
}

const isRefusalCode = (code: string): code is RefusalCode => Object.hasOwn(refusals, code)

test.each(Object.keys(refusals).filter(isRefusalCode))('[SEC5] a command refused as %s has its status', (code) => {
  const told = toProblem(new RefusedCommandError(code, 'what is so', {}))
  expect(told).toMatchObject({ status: refusals[code], code, detail: 'what is so' })
})

/** One of each error of a log, and how it is told; null for those that nobody is told of. */
const ofLogs: readonly (readonly [Error, string | null])[] = [
  [new conversation.AppendConflictError({ conversationId: 'c', after: 1, head: 2 }), '409 conflict'],
  [new conversation.CommandReusedError('c', 'command'), '409 command-reused'],
  [new conversation.DamagedBlobError('hash'), '500 damaged-log'],
  [new conversation.DamagedLogError({ conversationId: 'c', firstBadSeq: 1, what: 'is gone' }), '500 damaged-log'],
  [new conversation.ErasureRefusedError(1, 'nothing'), '422 erasure-refused'],
  [new conversation.MalformedEntryError('malformed'), '422 bad-request'],
  [new conversation.MissingBlobError('hash'), '422 missing-blob'],
  [new conversation.NewerEntryError({ conversationId: 'c', seq: 1 }, 'is newer'), '500 newer-entry'],
  [new conversation.StoreReadError('read'), '503 store-read-failed'],
  [new conversation.StoreWriteError('disk-full', 'write'), '503 store-write-failed'],
  [new conversation.StaleEpochError({ conversationId: 'c', epoch: 1, currentEpoch: 2 }), null],
  [new conversation.LeaseHeldError('c'), null],
  [new conversation.StoreOpenError('damaged', 'open'), null],
  [new conversation.RevisionConflictError({ kind: 'k', id: 'i', revision: 1, currentRevision: 2 }), null],
]

test('[SEC5] every error that a log has is told by its code and status, or as internal without its words', () => {
  const classes = Object.entries(conversation).filter(([name]) => name.endsWith('Error'))
  expect(ofLogs.map(([error]) => error.name).toSorted()).toEqual(classes.map(([name]) => name).toSorted())
  for (const [error, told] of ofLogs) {
    const { status, code, detail } = toProblem(error)
    expect(`${status} ${code}`, error.name).toBe(told ?? '500 internal')
    expect(detail === error.message, error.name).toBe(told !== null)
  }
})

test('[SEC5] refusals that are caught by name, requests that are malformed and bugs have theirs', () => {
  expect(toProblem(new UnknownConversationError('c'))).toMatchObject({ status: 404, code: 'unknown-conversation' })
  expect(toProblem(new RunActiveError('c', null))).toMatchObject({ status: 409, code: 'run-active' })
  expect(toProblem(new ProtocolError('no frame'))).toMatchObject({ status: 400, code: 'bad-request' })
  expect(toProblem(new z.ZodError([]))).toMatchObject({ status: 400, code: 'bad-request' })
  expect(toProblem(new Error('a secret'))).toMatchObject({ status: 500, code: 'internal' })
  expect(toProblem(new Error('a secret')).detail).not.toContain('a secret')
})
