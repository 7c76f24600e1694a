import { once } from 'node:events'
import { createServer } from 'node:http'
import type { FollowedEvent } from '@holdfast/client'
import {
  conversationCreated,
  inputAdmitted,
  logOf,
  runFinished,
  runStarted,
  stepFinished,
  stepStarted,
  textBlock,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { systemClock } from '@holdfast/engine/system'
import { expect, onTestFinished, test } from 'vitest'
import { createApi } from '../src/cli/reach/api.ts'
import type { LastingApi } from '../src/cli/reach/lasting-api.ts'
import { askTurn } from '../src/cli/terminal/turn.ts'

const log = logOf('conversation_1', [
  conversationCreated('local'),
  inputAdmitted('input_1', 'Hello'),
  runStarted('run_1', 'turn'),
  userMessageSent('run_1', 'input_1', 'Hello'),
  stepStarted('run_1', 'step_turn', 'turn'),
  stepStarted('run_1', 'step_asked_by_the_agent', 'gateway'),
  stepFinished('run_1', 'step_turn', [textBlock('Hello yourself.')]),
  runFinished('run_1', 'completed'),
])

/** A server that takes a message, and of which the log above is followed, with a piece of the answer after the request of the agent. */
async function serve(): Promise<{ readonly api: LastingApi; close(): void }> {
  const server = createServer((request, response) => {
    request.resume()
    response.writeHead(202, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ conversationId: 'conversation_1', inputId: 'input_1', seq: 2 }))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error(`No port: ${address}`)
  const api = createApi({ url: `http://127.0.0.1:${address.port}`, token: 'none' })
  async function* follow(): AsyncIterable<FollowedEvent> {
    for (const entry of log) {
      yield { type: 'entry', entry }
      const piece = { block: 0, offset: 0, text: 'Hello ', start: { type: 'text' as const } }
      if (entry.type === 'step-started' && entry.purpose === 'gateway')
        yield { type: 'delta', conversationId: 'conversation_1', stepId: 'step_turn', ...piece }
    }
  }
  return { api: { ...api, follow }, close: () => server.close() }
}

test('[CLI46] what an agent says is printed also where it asks models through the gateway meanwhile', async () => {
  const said: string[] = []
  const { api, close } = await serve()
  onTestFinished(close)
  const turn = askTurn(api, {
    conversationId: 'conversation_1',
    text: 'Hello',
    along: [],
    watcher: {
      onText: (text) => said.push(text),
      onEntry: () => {},
      onEvent: () => {},
      onQuestion: async () => 'deny',
      onAsked: async () => null,
    },
    clock: systemClock,
    signal: AbortSignal.timeout(5_000),
  })
  expect(await turn.ended).toEqual({ outcome: 'completed', hasDenied: false })
  expect(said).toEqual(['Hello ', 'yourself.', '\n'])
})
