import { RequestFailedError } from '@holdfast/client'
import { problem } from '@holdfast/protocol'
import { expect, test } from 'vitest'
import { answerOf, told } from '../src/shared/ask-server.ts'

const RUNS = problem(409, 'run-active', 'A run of conversation c1 has not ended; stop it first')
const WORDS = 'A reply is being written; wait for its end, or stop it.'

test('[UI8] an answer of the server is taken as it is, and a refusal in the words of the page', async () => {
  expect(await answerOf(Promise.resolve(7))).toEqual({ type: 'here', value: 7, problem: null })
  const refusal = new RequestFailedError(RUNS.detail, { problem: RUNS, status: RUNS.status })
  expect(await answerOf(Promise.reject(refusal))).toEqual({ type: 'failed', value: null, problem: WORDS })
  expect(await told(Promise.reject(refusal))).toBe(false)
  expect(await told(Promise.resolve())).toBe(true)
})

test('[UI8] what no server refused is no refusal', async () => {
  await expect(answerOf(Promise.reject(new TypeError('x is not a function')))).rejects.toThrow(TypeError)
  await expect(told(Promise.reject(new RangeError('too deep')))).rejects.toThrow(RangeError)
})
