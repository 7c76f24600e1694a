import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AgentContext, agent, client, methods, ndJsonStream } from '@agentclientprotocol/sdk/unstable'
import type { FollowedEvent } from '@holdfast/client'
import type { Entry, NewEntry } from '@holdfast/conversation'
import {
  conversationCreated,
  inputAdmitted,
  logOf,
  runFinished,
  runStarted,
  userMessageSent,
} from '@holdfast/conversation/testing'
import { systemClock } from '@holdfast/engine/system'
import { expect, onTestFinished, test } from 'vitest'
import { openSession } from '../src/cli/acp/acp-session.ts'
import { createApi } from '../src/cli/reach/api.ts'
import type { LastingApi } from '../src/cli/reach/lasting-api.ts'
import { watchSubAgents } from '../src/cli/reach/sub-agent-asks.ts'
import { createTerminalWatcher } from '../src/cli/terminal/terminal-watcher.ts'
import { askTurn } from '../src/cli/terminal/turn.ts'
import { CliError } from '../src/cli-error.ts'

const engine = { type: 'engine' } as const

const asked = (requestId: string): NewEntry => ({
  type: 'permission-requested',
  actor: engine,
  runId: 'run_2',
  stepId: 'step_2',
  requestId,
  callId: `call_of_${requestId}`,
  tool: 'write',
  input: { path: 'a.txt' },
  reason: 'it writes a file',
  userId: 'local',
  source: 'default-policy',
})
const settled = (requestId: string): NewEntry => ({
  type: 'permission-settled',
  actor: engine,
  requestId,
  outcome: 'allowed',
  by: 'mode',
})

const caller = logOf('conversation_1', [
  conversationCreated('local'),
  inputAdmitted('input_1', 'Hand it out'),
  runStarted('run_1', 'turn'),
  userMessageSent('run_1', 'input_1', 'Hand it out'),
  {
    type: 'tool-call-started',
    actor: engine,
    runId: 'run_1',
    stepId: 'step_1',
    callId: 'call_1',
    name: 'run_agent',
    input: {},
    effects: false,
    childConversationId: 'child_1',
  },
  runFinished('run_1', 'completed'),
])
const child = logOf('child_1', [
  conversationCreated('local'),
  runStarted('run_2', 'turn'),
  asked('answered_before'),
  settled('answered_before'),
  asked('open'),
])

const entries = (log: readonly Entry[]): FollowedEvent[] => log.map((entry) => ({ type: 'entry', entry }))
const caughtUp = (conversationId: string): FollowedEvent => ({ type: 'caught-up', conversationId, head: 9 })

test('[AGENT71] what a sub-agent asks and nobody has answered is put, also of one whose conversation begins a moment later, until it is settled', async () => {
  const over = new AbortController()
  onTestFinished(() => over.abort())
  const isSettled = Promise.withResolvers<void>()
  const release = Promise.withResolvers<void>()
  const asks: string[] = []
  let looks = 0
  const see = watchSubAgents({
    api: {
      async *follow(conversationId) {
        looks += 1
        if (looks === 1) throw new CliError('E_UNKNOWN_CONVERSATION', 3, `There is no conversation ${conversationId}`)
        yield* entries(child)
        yield caughtUp(conversationId)
        await release.promise
        yield* entries(logOf('child_1', [settled('open')]))
        await isSettled.promise
      },
    },
    clock: systemClock,
    signal: over.signal,
    onAsk({ conversationId, entry, settled: signal }) {
      asks.push(`${conversationId} ${entry.type === 'permission-requested' ? entry.requestId : entry.questionId}`)
      signal.addEventListener('abort', () => isSettled.resolve())
      release.resolve()
    },
    onFault: (error) => isSettled.reject(error),
  })
  for (const entry of caller.slice(0, 5)) see(entry)
  await isSettled.promise
  expect(asks).toEqual(['child_1 open'])
})

/** A server of the API that says what was decided where, and of which the logs above are followed until then. */
async function serve(): Promise<{ readonly api: LastingApi; readonly decided: Promise<string> }> {
  const decided = Promise.withResolvers<string>()
  const server = createServer((request, response) => {
    let body = ''
    const isDecision = request.url?.includes('/permissions/') ?? false
    request.on('data', (piece) => {
      body += piece
    })
    request.on('end', () => {
      if (isDecision) decided.resolve(`${request.url} ${JSON.parse(body).decision}`)
      response.writeHead(isDecision ? 200 : 202, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ conversationId: 'conversation_1', inputId: 'input_1', seq: 2 }))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error(`No port: ${address}`)
  const api: LastingApi = {
    ...createApi({ url: `http://127.0.0.1:${address.port}`, token: 'none' }),
    async *follow(conversationId) {
      yield* entries(conversationId === 'child_1' ? child : caller.slice(0, 5))
      yield caughtUp(conversationId)
      await decided.promise
      if (conversationId === 'conversation_1') yield* entries(caller.slice(5))
    },
  }
  return { api, decided: decided.promise }
}

test('[AGENT71, PERM6] a run with nobody there denies what a sub-agent asks, in the conversation that asks, and says which', async () => {
  const written: string[] = []
  const { api, decided } = await serve()
  const write = process.stderr.write
  process.stderr.write = (words) => written.push(String(words)) > 0
  onTestFinished(() => {
    process.stderr.write = write
  })
  const watcher = createTerminalWatcher({ json: false, isAttended: false })
  const signal = AbortSignal.timeout(5_000)
  const asking = {
    conversationId: 'conversation_1',
    text: 'Hand it out',
    along: [],
    watcher,
    clock: systemClock,
    signal,
  }
  const turn = askTurn(api, asking)
  expect(await decided).toBe('/api/v1/conversations/child_1/permissions/open unattended')
  expect(await turn.ended).toEqual({ outcome: 'completed', hasDenied: true })
  expect(written.join('')).toContain('write {"path":"a.txt"} (sub-agent in conversation child_1)')
})

test('[AGENT71] an editor is asked what a sub-agent asks, with its conversation, and the answer goes there', async () => {
  const { api, decided } = await serve()
  const [toAgent, toEditor] = [new TransformStream<Uint8Array>(), new TransformStream<Uint8Array>()]
  const opened = Promise.withResolvers<AgentContext>()
  const serving = agent({ name: 'holdfast' })
    .onNotification(methods.agent.session.cancel, ({ client: context }) => opened.resolve(context))
    .connect(ndJsonStream(toEditor.writable, toAgent.readable))
  const shown: string[] = []
  const editor = client({ name: 'editor' })
    .onNotification(methods.client.session.update, () => {})
    .onRequest(methods.client.session.requestPermission, ({ params }) => {
      shown.push(JSON.stringify(params.toolCall))
      return { outcome: { outcome: 'selected', optionId: 'call' } }
    })
    .connect(ndJsonStream(toAgent.writable, toEditor.readable))
  await editor.agent.notify(methods.agent.session.cancel, { sessionId: 'conversation_1' })
  const session = openSession({
    client: await opened.promise,
    capabilities: {},
    api,
    sessionId: 'conversation_1',
    cwd: '/',
    nextCommand: () => 'command_1',
    clock: systemClock,
    after: 0,
    chosen: { permissionMode: null, modelId: null },
    // What else an editor is told is not served here.
    onFault: () => {},
  })
  session.begin()
  expect(await decided).toBe('/api/v1/conversations/child_1/permissions/open allow')
  expect(shown.join()).toContain('A sub-agent, in conversation child_1, asks: it writes a file')
  // A file of that name in the editor's folder is another one.
  expect(shown.join()).toContain('"locations":[]')
  session.close()
  serving.close()
})
