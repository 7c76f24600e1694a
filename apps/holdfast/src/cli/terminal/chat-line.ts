/** What a line at the prompt of `chat` asks for. */
export type ChatLine =
  | { readonly type: 'say'; readonly message: string }
  | { readonly type: 'command'; readonly name: ChatCommand; readonly argument: string }
  /** A word after a slash that is no command: nothing is sent, for a message costs money. */
  | { readonly type: 'unknown'; readonly word: string }
  | { readonly type: 'nothing' }

/** The words that a line may begin with, after a slash, and what they do. */
export const CHAT_COMMANDS = {
  help: 'what can be written here',
  new: 'begin a new conversation',
  model: 'which model answers; with an id, that one does from now on',
  mode: 'what may be done without asking; that one holds from now on: plan, ask, accept-edits, sandboxed, bypass',
  exit: 'leave; so do Ctrl+D and Ctrl+C',
} as const

/** What may be done without asking, from least to most. [PERM1] */
export const MODES: readonly string[] = ['plan', 'ask', 'accept-edits', 'sandboxed', 'bypass']

/** A command of the prompt. */
export type ChatCommand = keyof typeof CHAT_COMMANDS

/** Words that the demo model reads itself. */
const OF_THE_DEMO = 'demo'

/** A line that begins with a space is said as it is, also where it begins with a slash. [CLI11] */
export function readChatLine(line: string): ChatLine {
  const message = line.trim()
  if (message === '') return { type: 'nothing' }
  const word = /^\/(?<word>[a-z]+)(?:\s|$)/.exec(line)?.groups?.['word']
  if (word === undefined || word === OF_THE_DEMO) return { type: 'say', message }
  if (!isChatCommand(word)) return { type: 'unknown', word }
  return { type: 'command', name: word, argument: message.slice(word.length + 1).trim() }
}

/** The help of the prompt. */
export function chatHelp(): string {
  const lines = Object.entries(CHAT_COMMANDS).map(([name, text]) => `/${name.padEnd(6)} ${text}`)
  return `${[...lines, 'A line that begins with a space is sent as it is. Ctrl+C stops a reply and keeps it.'].join('\n')}\n`
}

function isChatCommand(word: string): word is ChatCommand {
  return Object.hasOwn(CHAT_COMMANDS, word)
}
