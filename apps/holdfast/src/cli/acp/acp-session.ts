import {
  type AgentContext,
  methods,
  type PromptResponse,
  RequestError,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable'
import type { Clock, Entry, EntryOf } from '@holdfast/conversation'
import { routes, type SentPart } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import { type SubAgentAsk, watchSubAgents } from '../reach/sub-agent-asks.ts'
import { type AskingClient, askPermission, askQuestion } from './ask-client.ts'
import { callsOf, chunk, updatesOf, wordsOf } from './entry-updates.ts'
import { type Choices, type Chosen, choicesOf, choiceUpdates, chosenAfter } from './session-choices.ts'
import { createStepText } from './step-text.ts'

/** A conversation as an editor has it open. */
export interface AcpSession {
  readonly cwd: string
  choices(): Promise<Choices>
  /** Tells what an editor shows beside the conversation, and follows it from here on. */
  begin(): void
  /** Sends a message and resolves when it has been answered; it waits for its turn. */
  prompt(content: SentPart[]): Promise<PromptResponse>
  /** Takes back what waits and stops what runs of it. Each prompt is answered once. */
  cancel(): Promise<void>
  /** Ends following. */
  close(): void
}

/** What a session works with. */
export interface SessionDeps extends Omit<AskingClient, 'client'> {
  readonly client: AgentContext
  readonly clock: Clock
  /** The entry after which it follows. */
  readonly after: number
  readonly chosen: Chosen
  readonly onFault: (error: unknown) => void
}

interface OpenPrompt {
  inputId: string | null
  runId: string | null
  readonly answered: PromiseWithResolvers<PromptResponse>
}

/** A stop that has not ended after so long is forced, in milliseconds. */
const FORCE_MS = 1_500

/** So long a cancelled prompt waits for its end, in milliseconds. */
const LONGEST_CANCEL_MS = 4_500

/** Opens a conversation for an editor. */
export function openSession(deps: SessionDeps): AcpSession {
  const { client, api, sessionId, cwd, clock, nextCommand, onFault } = deps
  const params = { id: sessionId }
  const closing = new AbortController()
  const prompts = new Set<OpenPrompt>()
  const sending = new Set<Promise<unknown>>()
  const waiting = new Map<string, AbortController>()
  const turnSteps = new Set<string>()
  let chosen = deps.chosen
  let telling = Promise.resolve()

  const tell = (update: SessionUpdate): void => {
    telling = telling.then(() => client.notify(methods.client.session.update, { sessionId, update })).catch(onFault)
  }
  const words = createStepText((kind, text) =>
    tell(chunk(kind === 'thinking' ? 'agent_thought_chunk' : 'agent_message_chunk', text)),
  )

  function settle(prompt: OpenPrompt, response: PromptResponse | Error): void {
    if (!prompts.delete(prompt)) return
    // What was told of the answer goes out before its end.
    telling = telling.then(() =>
      response instanceof Error ? prompt.answered.reject(response) : prompt.answered.resolve(response),
    )
  }

  function ask(key: string, question: (signal: AbortSignal) => Promise<void>): void {
    const settled = new AbortController()
    waiting.set(key, settled)
    question(AbortSignal.any([settled.signal, closing.signal])).catch((error: unknown) => {
      if (!settled.signal.aborted && !closing.signal.aborted) onFault(error)
    })
  }

  const seeSubAgents = watchSubAgents({
    api,
    clock,
    signal: closing.signal,
    onAsk: askForSubAgent,
    onFault,
  })

  /** What a sub-agent asks is asked here too, and not any more when it is settled. [AGENT71] */
  function askForSubAgent({ conversationId, entry, settled }: SubAgentAsk): void {
    const key = entry.type === 'permission-requested' ? entry.requestId : entry.questionId
    ask(key, (signal) =>
      entry.type === 'permission-requested'
        ? askPermission(deps, { entry, conversationId, signal })
        : askQuestion(deps, { entry, conversationId, signal }),
    )
    settled.addEventListener('abort', () => waiting.get(key)?.abort(), { once: true })
  }

  async function take(entry: Entry): Promise<void> {
    seeSubAgents(entry)
    const isChosen = chosenAfter(chosen, entry)
    if (isChosen !== chosen) {
      chosen = isChosen
      for (const update of choiceUpdates(await choicesOf(api, chosen))) tell(update)
    }
    switch (entry.type) {
      case 'user-message-sent':
        await sent(entry)
        return
      case 'input-removed':
        for (const prompt of prompts) if (prompt.inputId === entry.inputId) settle(prompt, { stopReason: 'cancelled' })
        return
      case 'step-started':
        if (entry.purpose === 'turn') turnSteps.add(entry.stepId)
        return
      case 'step-finished':
        if (!turnSteps.delete(entry.stepId)) return
        words.finish(entry.stepId, entry.blocks)
        for (const update of callsOf(entry, cwd)) tell(update)
        return
      case 'permission-requested':
        ask(entry.requestId, (signal) => askPermission(deps, { entry, conversationId: sessionId, signal }))
        return
      case 'permission-settled':
        waiting.get(entry.requestId)?.abort()
        return
      case 'question-asked':
        ask(entry.questionId, (signal) => askQuestion(deps, { entry, conversationId: sessionId, signal }))
        return
      case 'question-settled':
        waiting.get(entry.questionId)?.abort()
        return
      case 'usage-recorded':
        if (entry.purpose === 'turn') await tellUsage()
        return
      case 'run-finished':
        ended(entry)
        return
      default:
        for (const update of updatesOf(entry)) tell(update)
    }
  }

  /** What was written at another place is shown here too. */
  async function sent({ inputId, runId, content }: EntryOf<'user-message-sent'>): Promise<void> {
    await Promise.allSettled(sending)
    const own = [...prompts].find((prompt) => prompt.inputId === inputId)
    if (own) own.runId = runId
    else for (const text of content.flatMap(wordsOf)) tell(chunk('user_message_chunk', text))
  }

  function ended({ runId, outcome, reason }: EntryOf<'run-finished'>): void {
    const prompt = [...prompts].find((one) => one.runId === runId)
    if (!prompt) return
    if (outcome === 'limit' && reason !== undefined) tell(chunk('agent_message_chunk', `\n\n${reason}`))
    settle(prompt, responseOf(outcome, reason ?? outcome))
  }

  async function tellUsage(): Promise<void> {
    const { usedTokens: used, windowTokens: size } = await api.call(routes.readContext, { params })
    if (size === null) return
    const { total } = await api.call(routes.readLedger, { params, query: { limit: '1' } })
    const cost = total.costUsd > 0 ? { cost: { amount: total.costUsd, currency: 'USD' } } : {}
    tell({ sessionUpdate: 'usage_update', used, size, ...cost })
  }

  async function follow(): Promise<void> {
    for await (const event of api.follow(sessionId, { after: deps.after, signal: closing.signal })) {
      if (event.type === 'refused') throw new CliError('E_LOST', 1, event.problem.detail)
      if (event.type === 'draft' && turnSteps.has(event.stepId)) words.seeDraft(event)
      if (event.type === 'delta' && turnSteps.has(event.stepId)) words.seeDelta(event)
      if (event.type === 'entry') await take(event.entry)
    }
  }

  async function stop(): Promise<void> {
    await api.call(routes.stop, { params, body: { commandId: nextCommand() } })
    const force = { commandId: nextCommand(), force: true }
    const cancelForce = clock.after(FORCE_MS, () => {
      api.call(routes.stop, { params, body: force }).catch(onFault)
    })
    closing.signal.addEventListener('abort', cancelForce, { once: true })
    void Promise.allSettled([...prompts].map(({ answered }) => answered.promise)).then(cancelForce)
  }

  return {
    cwd,
    choices: () => choicesOf(api, chosen),
    begin() {
      tell({ sessionUpdate: 'available_commands_update', availableCommands: COMMANDS })
      tellUsage().catch(onFault)
      follow().catch((error: unknown) => {
        if (closing.signal.aborted) return
        onFault(error)
        const lost = RequestError.internalError(undefined, error instanceof Error ? error.message : String(error))
        for (const prompt of prompts) settle(prompt, lost)
      })
    },
    async prompt(content) {
      if (isCompact(content)) return compact()
      const prompt: OpenPrompt = { inputId: null, runId: null, answered: Promise.withResolvers() }
      prompts.add(prompt)
      const asked = api.call(routes.sendInput, { params, body: { commandId: nextCommand(), content } })
      sending.add(asked)
      try {
        prompt.inputId = (await asked).inputId
      } catch (error) {
        prompts.delete(prompt)
        throw error
      } finally {
        sending.delete(asked)
      }
      return prompt.answered.promise
    },
    async cancel() {
      await Promise.allSettled(sending)
      const open = [...prompts]
      for (const settled of waiting.values()) settled.abort()
      clock.after(LONGEST_CANCEL_MS, () => {
        for (const prompt of open) settle(prompt, { stopReason: 'cancelled' })
      })
      const running = await Promise.all(open.map(async (prompt) => prompt.runId !== null || !(await removed(prompt))))
      if (running.includes(true)) await stop()
    },
    close() {
      closing.abort()
      for (const prompt of prompts) settle(prompt, { stopReason: 'cancelled' })
    },
  }

  /** Takes a prompt back that waits; false where it is being answered by now. */
  async function removed({ inputId }: OpenPrompt): Promise<boolean> {
    if (inputId === null) return true
    try {
      await api.call(routes.removeInput, { params: { ...params, inputId }, query: { commandId: nextCommand() } })
      return true
    } catch (error) {
      if (error instanceof CliError && error.code === 'E_INPUT_NOT_WAITING') return false
      throw error
    }
  }

  /** A summary in the place of what was said: a run of its own, which answers the prompt that asked for it. */
  async function compact(): Promise<PromptResponse> {
    const prompt: OpenPrompt = { inputId: null, runId: null, answered: Promise.withResolvers() }
    prompts.add(prompt)
    const asked = api.call(routes.makeCheckpoint, { params, body: { commandId: nextCommand() } })
    sending.add(asked)
    try {
      prompt.runId = (await asked).runId
    } catch (error) {
      prompts.delete(prompt)
      throw error
    } finally {
      sending.delete(asked)
    }
    return prompt.answered.promise
  }
}

function responseOf(outcome: EntryOf<'run-finished'>['outcome'], reason: string): PromptResponse | Error {
  switch (outcome) {
    case 'completed':
      return { stopReason: 'end_turn' }
    case 'stopped':
      return { stopReason: 'cancelled' }
    case 'limit':
      return { stopReason: 'max_turn_requests' }
    case 'failed':
    case 'interrupted':
      return RequestError.internalError(undefined, reason)
  }
}

const COMMANDS = [{ name: 'compact', description: 'Put a summary in the place of what was said, to make room' }]

function isCompact([only, ...others]: readonly SentPart[]): boolean {
  return others.length === 0 && only?.type === 'text' && only.text.trim() === '/compact'
}
