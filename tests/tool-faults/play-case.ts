import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Entry, EntryOf, ToolResultPart } from '@holdfast/conversation'
import { until } from '../states/until.ts'
import type { FaultCall, FaultCase } from './fault-case.ts'
import { ALL_DONE, callIdAt, type FaultConversation, type FaultHost } from './fault-host.ts'

/** Characters that one result may have, with the words about what is left out. */
const MOST_CHARACTERS = 51_000

/** What became of a case. */
export interface PlayedCase {
  readonly name: string
  /** What is wrong, each as a sentence; nothing where each call has its one result and the conversation went on. */
  readonly problems: readonly string[]
}

/** Plays one case in a conversation of its own, to its end and on. */
export async function playCase(
  host: FaultHost,
  { fault, number, folder }: { readonly fault: FaultCase; readonly number: number; readonly folder: string },
): Promise<PlayedCase> {
  const own = join(folder, `case-${number}`)
  mkdirSync(own)
  const end = Promise.withResolvers<void>()
  const opened = await fault.open({ folder: own, afterTheEnd: end.promise })
  try {
    const conversation = await host.converse({ number, calls: fault.calls, tools: opened.tools })
    await conversation.send('begin')
    if (fault.stopped) {
      const begun = fault.calls.filter(({ begins }) => begins).length
      await untilLogged(conversation, 'tool-call-started', begun)
      await conversation.stop()
    }
    await untilLogged(conversation, 'run-finished', 1)
    end.resolve()
    await untilLogged(conversation, 'tool-result-late', fault.lateCount ?? 0)
    await opened.untilReady?.()
    await conversation.send('go on')
    await untilLogged(conversation, 'run-finished', 2)
    return { name: fault.name, problems: problemsOf(fault, await conversation.log(), conversation) }
  } finally {
    end.resolve()
    await opened.close()
  }
}

/** Waits for the log; meanwhile a person allows what a guard asks about, and closes what a server asks. */
async function untilLogged(conversation: FaultConversation, type: Entry['type'], count: number): Promise<void> {
  await until(`the log has ${count} ${type}`, async () => {
    const log = await conversation.log()
    const answered = of(log, 'permission-settled').map(({ requestId }) => requestId)
    for (const { requestId } of of(log, 'permission-requested'))
      if (!answered.includes(requestId)) await conversation.allow(requestId)
    const closed = of(log, 'question-settled').map(({ questionId }) => questionId)
    for (const { questionId } of of(log, 'question-asked'))
      if (!closed.includes(questionId)) await conversation.cancel(questionId)
    return log.filter((entry) => entry.type === type).length >= count ? true : null
  })
}

function of<Type extends Entry['type']>(log: readonly Entry[], type: Type): readonly EntryOf<Type>[] {
  return log.filter((entry): entry is EntryOf<Type> => entry.type === type)
}

function problemsOf(
  fault: FaultCase,
  log: readonly Entry[],
  { requests }: Pick<FaultConversation, 'requests'>,
): readonly string[] {
  const calls = fault.calls.map((call, place) => ({ call, callId: callIdAt(place) }))
  const settledIds = of(log, 'tool-call-settled').map(({ callId }) => callId)
  const ends = of(log, 'run-finished').map(({ outcome }) => outcome)
  const wantedEnds = [fault.stopped ? 'stopped' : 'completed', 'completed']
  const late = of(log, 'tool-result-late').length
  const lastWords = of(log, 'step-finished').at(-1)?.blocks[0]
  return [
    ...calls.flatMap(({ call, callId }) => callProblems(log, call, callId)),
    ...settledIds
      .filter((id) => !calls.some(({ callId }) => callId === id))
      .map((id) => `${id} was settled, and nobody made it`),
    ...(ends.join() === wantedEnds.join() ? [] : [`the runs ended as ${ends.join()}, not as ${wantedEnds.join()}`]),
    ...(late === (fault.lateCount ?? 0) ? [] : [`${late} results came late`]),
    ...(lastWords?.type === 'text' && lastWords.text === ALL_DONE ? [] : ['the conversation did not go on']),
    ...answerProblems(calls, requests),
  ]
}

/** One intent where it began, one outcome, and words that a model and a database can take. [TOOL2, TOOL5, TOOL6] */
function callProblems(log: readonly Entry[], { outcome, says, begins }: FaultCall, callId: string): readonly string[] {
  const intents = of(log, 'tool-call-started').filter((entry) => entry.callId === callId).length
  const results = of(log, 'tool-call-settled').filter((entry) => entry.callId === callId)
  const [first] = results
  if (!first || results.length > 1) return [`${callId} has ${results.length} results`]
  const text = textOf(first.content)
  return [
    ...(intents === (begins ? 1 : 0) ? [] : [`${callId} began ${intents} times`]),
    ...(first.outcome === outcome ? [] : [`${callId} is ${first.outcome}, not ${outcome}: ${text.slice(0, 300)}`]),
    ...(says.test(text) ? [] : [`${callId} does not say ${String(says)}: ${JSON.stringify(text.slice(0, 300))}`]),
    ...(text === '' ? [`${callId} says nothing`] : []),
    ...(text.length <= MOST_CHARACTERS ? [] : [`${callId} has ${text.length} characters`]),
    ...(isClean(text) ? [] : [`${callId} has characters that are refused: ${JSON.stringify(text.slice(0, 100))}`]),
  ]
}

function textOf(content: readonly ToolResultPart[]): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[picture ${part.blob.mediaType}]`)).join('\n')
}

function isClean(text: string): boolean {
  if (!text.isWellFormed()) return false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if ((code < 0x20 && code !== 0x09 && code !== 0x0a && code !== 0x0d) || (code >= 0x7f && code < 0xa0)) return false
  }
  return true
}

/** The last request answers each call once, and says which have failed. */
function answerProblems(
  calls: readonly { readonly call: FaultCall; readonly callId: string }[],
  requests: FaultConversation['requests'],
): readonly string[] {
  const told = (requests.at(-1)?.messages ?? []).flatMap((message) => (message.role === 'tool' ? [message] : []))
  const wanted = calls.map(({ call, callId }) => `${callId} ${call.outcome === 'ok' ? 'ok' : 'failed'}`)
  const found = told.map(({ callId, isError }) => `${callId} ${isError ? 'failed' : 'ok'}`)
  return found.join() === wanted.join() ? [] : [`the model was told ${found.join()}, not ${wanted.join()}`]
}
