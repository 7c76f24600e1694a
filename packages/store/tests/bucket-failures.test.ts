import { expect, test } from 'vitest'
import { failureOfAnswer, failureOfRequest } from '../src/bucket/bucket-failures.ts'

const said = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>m</Message></Error>`

test.each([
  [403, said('InvalidAccessKeyId'), 'not-writable', 'refuses the keys (InvalidAccessKeyId)'],
  [404, said('NoSuchBucket'), 'not-writable', 'does not exist'],
  [503, said('SlowDown'), 'busy', 'is too busy (SlowDown)'],
  [507, 'full', 'disk-full', 'has no space left (HTTP 507)'],
  [500, '', 'disk-error', 'has a fault (HTTP 500)'],
  [301, said('PermanentRedirect'), 'not-writable', 'look at its name, region and address'],
])('[LOG35] what a bucket answers is said in words and as what can be done: %i', (status, body, code, words) => {
  const failure = failureOfAnswer(status, body)
  expect(failure.code).toBe(code)
  expect(failure.what).toContain(words)
})

test('[LOG35] a line that fails is a bucket that is away; a defect is none', () => {
  const refused = new TypeError('fetch failed', { cause: new AggregateError([new Error('ECONNREFUSED')]) })
  expect(failureOfRequest(refused)).toMatchObject({ code: 'unreachable', what: 'cannot be reached (ECONNREFUSED)' })
  expect(failureOfRequest(new DOMException('late', 'TimeoutError'))).toMatchObject({ code: 'unreachable' })
  const defect = new TypeError('x is not a function')
  expect(() => failureOfRequest(defect)).toThrow(defect)
})
