import * as conversation from '@holdfast/conversation'
import { type RefusalCode, RefusedCommandError, RunActiveError, UnknownConversationError } from '@holdfast/engine'
import { ProtocolError, type Route, routes } from '@holdfast/protocol'
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

/** What a body is refused with, in words. */
function refusalOf(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value)
  return error ? toProblem(error).detail : 'taken'
}

test('[CLI24] what was sent and is not taken is told by its place, what is wrong there, and what to give', () => {
  const { body } = routes.createSchedule
  const good = {
    name: 'a',
    content: [{ type: 'text', text: 'x' }],
    rule: { type: 'cron', expression: '* * * * *' },
    timeZone: 'UTC',
  }
  const wrong: readonly (readonly [object, string])[] = [
    [{ name: '' }, 'name is empty: give at least 1 character'],
    [{ name: 'x'.repeat(90) }, 'name is too long: give at most 80 characters'],
    [{ name: undefined }, 'name is missing: give a text'],
    [{ budgets: { runUsd: null } }, 'budgets.runUsd is not a number: give one'],
    [{ budgets: { runUsd: 0.0000001 } }, 'budgets.runUsd is too small: give at least 0.0001'],
    [{ budgets: { runUsd: 1e9 } }, 'budgets.runUsd is too large: give at most 1000000'],
    [{ budgets: { tea: 1 } }, 'budgets has no field tea: leave it out or correct its name'],
    [{ missed: 'x' }, 'missed is nothing that can be chosen: give once, skip or all'],
    [{ missedLimit: 1.5 }, 'missedLimit is not a whole number: give one'],
    [{ content: [] }, 'content is empty: give at least 1 entry'],
    [{ content: [{ type: 'text', text: ' ' }] }, 'content.0.text is empty: give at least 1 character'],
  ]
  for (const [change, words] of wrong) expect(refusalOf(body, { ...good, ...change })).toBe(words)
  expect(refusalOf(body, { ...good, rule: { type: 'tea' } })).toMatch(
    /^rule\.type is nothing that can be chosen: give cron, /,
  )
  expect(refusalOf(body, null)).toBe('What was sent is not an object with fields: give one')
  expect(refusalOf(z.object({ at: z.url(), code: z.string().regex(/^a$/) }), { at: 'x', code: 'b' })).toBe(
    'at is not of the form that is taken: give a whole address, such as https://example.com. code is not of the form that is taken: it has to match /^a$/',
  )
  const union = z.object({ access: z.union([z.literal('owner'), z.array(z.string())]) })
  expect(refusalOf(union, { access: [1] })).toBe('access.0 is not a text: give one')
  expect(refusalOf(union, { access: 3 })).toBe('access has none of the forms that are taken')
  expect(refusalOf(z.record(z.string().max(1), z.number()), { long: 1 })).toContain('long is too long: give at most 1 ')
  const many = z.object(Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`field${at}`, z.string()])))
  expect(refusalOf(many, {})).toMatch(/field4 is missing: give a text\. And 2 more places$/)
})

test('[CLI24] no body of a route is refused with words of the validator, and none of its values is repeated', () => {
  const secret = 'sk-canary'
  for (const [name, { body }] of Object.entries<Route>(routes))
    for (const value of [
      null,
      [],
      'x',
      3,
      { [secret]: 1, name: 1, root: '', content: secret, access: { a: secret } },
    ]) {
      const words = refusalOf(body, value)
      expect(words, name).not.toMatch(/✖|→|Invalid|expected|received|Too (?:small|big)/)
      if (words !== 'taken' && typeof value === 'object' && value !== null && 'content' in value)
        expect(words.replace(`no field ${secret}`, ''), name).not.toContain(secret)
    }
})
