import { createInterface } from 'node:readline/promises'
import { text as readText } from 'node:stream/consumers'
import { systemClock, systemRandom } from '@holdfast/engine/system'
import { MAX_TEXT_LENGTH, routes, type SentPart } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import { endWhenTerminated, endWithPerson } from '../../process-end.ts'
import type { Api } from '../reach/api.ts'
import { createLastingApi } from '../reach/lasting-api.ts'
import { meantWorkspace, realFolder } from '../reach/meant-workspace.ts'
import { type ReachedServer, type ReachOptions, reachServer } from '../reach/reach-server.ts'
import { type ChatLine, chatHelp, MODES, readChatLine } from '../terminal/chat-line.ts'
import { createTerminalWatcher, tellOfLine } from '../terminal/terminal-watcher.ts'
import { createToldSilence } from '../terminal/told-silence.ts'
import { askTurn, newCommandId, sayWhy, type TurnEnd, type TurnWatcher } from '../terminal/turn.ts'
import { untilTitled } from '../terminal/until-titled.ts'
import { agentIdOf } from './agents.ts'
import { mentionedParts, readMention } from './mentioned.ts'
import { presetIdOf } from './presets.ts'

/** What `holdfast chat` and `holdfast run` were asked for. */
export interface ChatOptions extends ReachOptions {
  readonly continue?: boolean
  readonly model?: string
  readonly agent?: string
  readonly permissionMode?: string
  /** What is chosen of an external agent. [AGENT55] */
  readonly agentMode?: string
  readonly agentModel?: string
  readonly paidBy?: string
  readonly preset?: string
  readonly worktree?: true
  /** What goes along with the message, as `file:PATH`, `agent:NAME`, `tool:NAME` or `conversation:ID`. */
  readonly mention?: readonly string[]
  readonly json: boolean
}

/** The code of a program that Ctrl+C ended. */
const INTERRUPTED = 130

/** The code of an unattended turn of which a call was denied. */
const DENIED = 3

/** How long leaving waits until the stop is durable, in milliseconds. */
const STOP_MS = 2_000
/** What a command that was asked to end says of its reply. */
const TERMINATED = 'Terminated: the reply is stopped, and what was said is kept.\n'
/** A pipe that has not ended after so long is spoken of, in milliseconds. */
const PIPE_TOLD_MS = 3_000

/**
 * Talks in the terminal: one message when there is one, else one after another. Ctrl+C stops the reply and keeps it;
 * a second one leaves as soon as the stop is durable.
 *
 * @returns the exit code.
 */
export async function chat(words: readonly string[], options: ChatOptions): Promise<number> {
  const message = await messageOf(words)
  if (message === '' && !process.stdin.isTTY) throw nothingToSay('chat')
  if (message === '' && options.mention !== undefined)
    throw new CliError(
      'E_USAGE',
      2,
      'A mention goes along with a message. Give the message: holdfast chat --mention file:a.ts "Why?"',
    )
  return converse(message, options)
}

/** Answers one message and ends. What is piped in belongs to it. @returns the exit code. */
export async function run(words: readonly string[], options: ChatOptions): Promise<number> {
  const message = await messageOf(words)
  if (message === '') throw nothingToSay('run')
  return converse(message, options)
}

function nothingToSay(command: 'chat' | 'run'): CliError {
  return new CliError(
    'E_USAGE',
    2,
    `There is nothing to say. Give the message: holdfast ${command} "Hello", or pipe it in.`,
  )
}

async function converse(message: string, options: ChatOptions): Promise<number> {
  endWhenTerminated()
  // What is written wrongly is said before anything is made.
  for (const mentioned of options.mention ?? []) readMention(mentioned)
  if (options.continue && (options.preset !== undefined || options.worktree !== undefined))
    throw new CliError(
      'E_USAGE',
      2,
      'A preset and a worktree are chosen where a conversation begins, and this one goes on. Leave out -c, or them.',
    )
  const { workspace, ...elsewhere } = options
  const folder = workspace === undefined ? null : realFolder(workspace)
  // A server of this command's own opens a folder itself; what is named otherwise it knows already.
  const server = await reachServer(folder === null ? elsewhere : options)
  try {
    const isOpened = workspace === undefined || (server.isOwn && folder !== null)
    const workspaceId = isOpened ? null : (await meantWorkspace(server.api, workspace)).id
    const along = await mentionedParts(server.api, options.mention ?? [])
    const placed = { ...options, workspaceId }
    const conversationId = await conversationOf(server.api, placed)
    if (message !== '') return await say(server, { conversationId, message, along, options })
    return await talk(server, conversationId, placed)
  } finally {
    await server.close()
  }
}

/** What the arguments and the pipe say, together; a single `-` stands for the pipe alone. */
async function messageOf(words: readonly string[]): Promise<string> {
  const said = words.join(' ').trim()
  const piped = process.stdin.isTTY ? '' : (await readPipe(said !== '' && said !== '-')).trim()
  const message = [said === '-' ? '' : said, piped].filter((part) => part !== '').join('\n\n')
  if (message.length > MAX_TEXT_LENGTH) throw tooLong(message)
  return message
}

/** All that is piped in. Who said words already may not know that the pipe is read: one that stays open is spoken of. [CLI23] */
async function readPipe(hasWords: boolean): Promise<string> {
  const waiting = setTimeout(() => {
    if (hasWords) process.stderr.write('Reading what is piped in, until its end. Without a pipe: </dev/null\n')
  }, PIPE_TOLD_MS)
  try {
    return await readText(process.stdin)
  } finally {
    clearTimeout(waiting)
  }
}

function tooLong({ length }: string): CliError {
  const [most, has] = [MAX_TEXT_LENGTH, length].map((count) => count.toLocaleString('en'))
  return new CliError(
    'E_TOO_LONG',
    2,
    `A message has at most ${most} characters; this one has ${has}. Put it into a file of the workspace and name that: holdfast run --mention file:NAME "…"`,
  )
}

/** The workspace that was named; null for none. */
interface Placed {
  readonly workspaceId: string | null
}

async function conversationOf(api: Api, options: ChatOptions & Placed): Promise<string> {
  const { workspaceId } = options
  const id = options.continue ? await newest(api) : await create(api, options)
  const agentId = options.continue && options.agent !== undefined ? await agentIdOf(api, options.agent) : null
  const settings = {
    ...(agentId === null ? {} : { agentId }),
    ...(options.continue && options.model !== undefined ? { modelId: options.model } : {}),
    ...(options.permissionMode === undefined ? {} : { permissionMode: options.permissionMode }),
    ...(options.agentMode === undefined ? {} : { externalMode: options.agentMode }),
    ...(options.agentModel === undefined ? {} : { externalModel: options.agentModel }),
    ...(options.paidBy === undefined ? {} : { paidBy: options.paidBy }),
    ...(options.continue && workspaceId !== null ? { workspaceId } : {}),
  }
  if (Object.keys(settings).length > 0)
    await api.call(routes.changeConversation, { params: { id }, body: { commandId: newCommandId(), settings } })
  return id
}

async function newest(api: Api): Promise<string> {
  const { conversations } = await api.call(routes.listConversations, { query: { limit: '1' } })
  const [first] = conversations
  if (first) return first.id
  throw new CliError('E_NO_CONVERSATION', 3, 'There is no conversation to continue. Leave -c out to begin one.')
}

async function create(
  api: Api,
  { model, agent, preset, worktree, workspaceId }: ChatOptions & Placed,
): Promise<string> {
  const chosen = {
    ...(workspaceId === null ? {} : { workspaceId }),
    ...(preset === undefined ? {} : { presetId: await presetIdOf(api, preset) }),
    ...(worktree === undefined ? {} : { place: 'worktree' as const }),
    ...(model === undefined ? {} : { modelId: model }),
    ...(agent === undefined ? {} : { agentId: await agentIdOf(api, agent) }),
  }
  return (await api.call(routes.createConversation, { body: { commandId: newCommandId(), ...chosen } })).id
}

interface Saying {
  readonly conversationId: string
  readonly message: string
  readonly along: readonly SentPart[]
  readonly options: ChatOptions
}

async function say(server: ReachedServer, { conversationId, message, along, options }: Saying): Promise<number> {
  const leaving = new AbortController()
  const left = Promise.withResolvers<null>()
  const isAttended = process.stdin.isTTY
  const silence = createToldSilence(systemClock, (line) => process.stderr.write(`${line}\n`))
  const terminal = createTerminalWatcher({ json: options.json, isAttended })
  const watcher: TurnWatcher = {
    ...terminal,
    onEvent(event) {
      silence.heard(event)
      terminal.onEvent(event)
    },
  }
  const lasting = createLastingApi({
    server,
    clock: systemClock,
    random: systemRandom,
    signal: leaving.signal,
    onLine(news) {
      tellOfLine(news)
      if (news !== 'given-up') silence.lineIs(news)
    },
  })
  const turn = askTurn(lasting, {
    conversationId,
    text: message,
    along,
    watcher,
    clock: systemClock,
    signal: leaving.signal,
  })
  let stopping: Promise<void> | null = null

  let hasEnded = false

  function onInterrupt(): void {
    if (hasEnded) {
      left.resolve(null)
      return
    }
    if (stopping) {
      void leaveStopped(stopping).then(left.resolve)
      return
    }
    process.stderr.write('\nStopping; what was said is kept. Ctrl+C again leaves.\n')
    stopping = turn.stop()
    stopping.catch((error: unknown) => {
      if (!leaving.signal.aborted) sayWhy(error)
    })
  }

  /** Leaves with a stop that counts, however soon one leaves. [STOP1] */
  async function leaveStopped(asked: Promise<void>): Promise<null> {
    if (!(await isDurable(asked))) process.stderr.write(`${unsureStop(server)}\n`)
    return null
  }

  process.on('SIGINT', onInterrupt)
  const withPerson = endWithPerson(async (tell) => {
    if (hasEnded) return
    stopping ??= turn.stop()
    tell((await isDurable(stopping)) ? TERMINATED : `Terminated. ${unsureStop(server)}\n`)
  })
  try {
    const end = await Promise.race([turn.ended, left.promise])
    if (end === null) return INTERRUPTED
    hasEnded = true
    if (server.isOwn && end.outcome === 'completed')
      await Promise.race([
        untilTitled(server.api, { conversationId, clock: systemClock, signal: leaving.signal }),
        left.promise,
      ])
    return exitCodeOf(end, { isAttended })
  } finally {
    process.off('SIGINT', onInterrupt)
    withPerson()
    silence.close()
    leaving.abort()
  }
}

/** Whether a stop is written down before one does not wait any longer. */
async function isDurable(asked: Promise<void>): Promise<boolean> {
  const limit = Promise.withResolvers<boolean>()
  const cancel = systemClock.after(STOP_MS, () => limit.resolve(false))
  const stopped = asked.then(
    () => true,
    () => false,
  )
  const came = await Promise.race([stopped, limit.promise])
  cancel()
  return came
}

function unsureStop({ isOwn }: ReachedServer): string {
  return isOwn
    ? 'The stop is not written down yet: unless it still is, the reply will be marked as interrupted.'
    : 'The server has not confirmed the stop: it may go on with the reply.'
}

/** A person who denied something knows of it; whoever reads the code of a run alone does not. [PERM6] */
function exitCodeOf({ outcome, hasDenied }: TurnEnd, { isAttended }: { readonly isAttended: boolean }): number {
  switch (outcome) {
    case 'completed':
      return hasDenied && !isAttended ? DENIED : 0
    case 'stopped':
      return INTERRUPTED
    case 'failed':
    case 'interrupted':
    case 'limit':
      return 1
  }
}

/** One message after another, until the input ends; commands of the prompt are no messages. [CLI11] */
async function talk(server: ReachedServer, begun: string, options: ChatOptions & Placed): Promise<number> {
  let conversationId = begun
  for (;;) {
    const line = await nextMessage()
    if (line === null) return 0
    const read = readChatLine(line)
    switch (read.type) {
      case 'nothing':
        break
      case 'say':
        await say(server, { conversationId, message: read.message, along: [], options })
        break
      case 'unknown':
        process.stderr.write(
          `There is no command /${read.word}: nothing was sent. /help lists what there is; a space before it sends it as it is.\n`,
        )
        break
      case 'command':
        if (read.name === 'exit') return 0
        if (read.name === 'new') conversationId = await create(server.api, options)
        await carryOut(server.api, conversationId, read).catch(sayWhy)
        break
    }
  }
}

/** What a command of the prompt shows and sets; what the server refuses is said, and the talk goes on. */
async function carryOut(
  api: Api,
  id: string,
  { name, argument }: Extract<ChatLine, { type: 'command' }>,
): Promise<void> {
  switch (name) {
    case 'help':
      process.stderr.write(chatHelp())
      return
    case 'new':
      process.stderr.write(`A new conversation: ${id}\n`)
      return
    case 'model':
      return argument === '' ? tellModel(api, id) : set(api, id, { modelId: argument })
    case 'mode':
      return setMode(api, id, argument)
    case 'exit':
      return
  }
}

async function tellModel(api: Api, id: string): Promise<void> {
  const { modelId } = await api.call(routes.readConversation, { params: { id } })
  process.stderr.write(`${modelId ?? 'The usual model'} answers. holdfast models lists what may be chosen.\n`)
}

async function setMode(api: Api, id: string, wanted: string): Promise<void> {
  if (MODES.includes(wanted)) return set(api, id, { permissionMode: wanted })
  process.stderr.write(`Give one of ${MODES.join(', ')}.\n`)
}

async function set(api: Api, id: string, settings: Readonly<Record<string, string>>): Promise<void> {
  await api.call(routes.changeConversation, { params: { id }, body: { commandId: newCommandId(), settings } })
  process.stderr.write(`${Object.values(settings).join(', ')} from now on.\n`)
}

/** Null when the person leaves: Ctrl+C or Ctrl+D at the prompt. */
async function nextMessage(): Promise<string | null> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr })
  const closed = new Promise<null>((resolve) => prompt.once('close', () => resolve(null)))
  try {
    return await Promise.race([prompt.question('you> '), closed])
  } finally {
    prompt.close()
  }
}
