import { createAnswerText, type Entry } from '@holdfast/conversation'
import { systemClock, systemRandom } from '@holdfast/engine/system'
import { routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { untilInterrupt } from '../reach/explained.ts'
import { createLastingApi } from '../reach/lasting-api.ts'
import { type ReachOptions, reachRunningServer } from '../reach/reach-server.ts'
import { createOpenAsks, watchSubAgents } from '../reach/sub-agent-asks.ts'
import { plainText } from '../terminal/plain-text.ts'
import { createTerminalWatcher, tellOfLine, tellWaiting } from '../terminal/terminal-watcher.ts'
import { sayWhy } from '../terminal/turn.ts'
import { conversationIdOf } from './conversations.ts'

/** What `holdfast follow` was asked for. */
export interface FollowOptions extends ReachOptions {
  /** Whether it begins with the conversation; else with the newest turn. */
  readonly all: boolean
  readonly json: boolean
}

/**
 * Shows a conversation that others lead: the answers on stdout, all else on stderr, over every break of the line, until
 * Ctrl+C. It asks for nothing and stops nothing. @returns the exit code.
 */
export async function follow(id: string | undefined, options: FollowOptions): Promise<number> {
  const server = await reachRunningServer(options)
  const conversationId = await conversationIdOf(server.api, id ?? 'last')
  const signal = untilInterrupt()
  const api = createLastingApi({
    server,
    clock: systemClock,
    random: systemRandom,
    signal,
    onLine: tellOfLine,
  })
  const { onText, onEntry, onEvent } = createTerminalWatcher({ json: options.json, isAttended: false })
  const answerText = createAnswerText({ onText, onStepEnd: () => onText('\n') })
  const turns = new Set<string>()
  const asks = createOpenAsks((entry) => tellWaiting(entry, null))
  const seeSubAgents = watchSubAgents({
    api,
    clock: systemClock,
    signal,
    onAsk: ({ entry, conversationId: subAgentId }) => tellWaiting(entry, subAgentId),
    onFault: sayWhy,
  })

  function take(entry: Entry): void {
    asks.take(entry)
    if (entry.type === 'run-started' && entry.purpose === 'turn') turns.add(entry.runId)
    if (!('runId' in entry) || entry.runId === undefined || !turns.has(entry.runId)) return
    if (entry.type === 'user-message-sent' && !options.json) tellMessage(entry.content)
    if (entry.type === 'step-started' && entry.purpose === 'turn') answerText.begin(entry)
    if (entry.type === 'step-finished') answerText.finish(entry)
    onEntry(entry)
    seeSubAgents(entry)
  }

  const after = options.all ? 0 : await beforeNewestTurn(server.api, conversationId)
  for await (const event of api.follow(conversationId, { after, signal })) {
    onEvent(event)
    if (event.type === 'refused') throw new CliError('E_LOST', 1, event.problem.detail)
    if (event.type === 'draft') answerText.seeDraft(event)
    if (event.type === 'delta') answerText.seeDelta(event)
    if (event.type === 'entry') take(event.entry)
    if (event.type === 'caught-up') asks.catchUp()
  }
  return 0
}

/** The cursor from which the newest message and its answer come. A run's start stands directly before its message. */
async function beforeNewestTurn(api: Api, id: string): Promise<number> {
  const { items } = await api.call(routes.readTranscript, { params: { id } })
  const message = items.findLast(({ role }) => role === 'user')
  return message ? Math.max(0, message.seq - 2) : 0
}

function tellMessage(content: readonly { readonly type: string; readonly text?: string }[]): void {
  const words = content.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []))
  process.stderr.write(`you> ${plainText(words.join('\n'))}\n`)
}
