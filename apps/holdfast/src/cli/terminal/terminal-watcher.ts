import { createTurns, type Entry, type EntryOf, type Json } from '@holdfast/conversation'
import { AWAY_MS } from '../reach/lasting-api.ts'
import type { Asking } from '../reach/sub-agent-asks.ts'
import { askQuestion } from './ask-question.ts'
import { askedWords } from './asked-edit.ts'
import { createPlainStream, plainText, shownPlainly } from './plain-text.ts'
import { readLine } from './terminal-prompt.ts'
import type { TurnWatcher } from './turn.ts'

/** Characters of an input or a result that are shown. */
const SHOWN_CHARS = 200

/** How a turn is shown. */
export interface WatcherOptions {
  /** One line of JSON for each event on stdout, and nothing else there. */
  readonly json: boolean
  /** Whether a person is there to be asked. */
  readonly isAttended: boolean
}

/** Shows a turn: its text on stdout, all else on stderr. */
export function createTerminalWatcher({ json, isAttended }: WatcherOptions): TurnWatcher {
  /** One question at a time: a terminal has one line to write on. */
  const inTurn = createTurns()
  /** What the last failure of a step said: a turn that ends by it has the same reason. */
  let failure: string | null = null
  const stream = createPlainStream()

  return {
    onText(text) {
      if (!json) process.stdout.write(stream.take(text))
    },
    onEntry(entry) {
      if (json) return
      if (entry.type === 'step-failed') failure = entry.error.message
      if (entry.type === 'run-finished') tell(entry.reason === failure ? null : (entry.reason ?? null))
      else tell(lineOf(entry))
    },
    onEvent(event) {
      if (json) process.stdout.write(`${JSON.stringify(event)}\n`)
      else if (event.type === 'write-failed') tell(event.message)
    },
    async onQuestion({ tool, input, reason }, { subAgentId, settled }) {
      if (!isAttended) {
        const what = `${tool} ${shown(input)}${subAgentId === null ? '' : ` (${subAgentIn(subAgentId)})`}`
        tell(`Denied, for nobody is there to be asked: ${what}. Choose --permission-mode, or ask in a terminal.`)
        return 'unattended'
      }
      const who = subAgentId === null ? '' : `The ${subAgentIn(subAgentId)} asks. `
      const said = await inTurn(() => askLast(`${who}${askedWords({ tool, input, reason })} [y/N] `, settled))
      if (settled.aborted) return null
      // An end of the input is a no.
      return ['y', 'yes'].includes(said?.trim().toLowerCase() ?? '') ? 'allow' : 'deny'
    },
    async onAsked(question, { subAgentId, settled }) {
      const where = subAgentId === null ? '' : ` in the ${subAgentIn(subAgentId)}`
      if (!isAttended) {
        tell(
          `${question.source}${where} asked something, and nobody is there to answer. Ask in a terminal, or in the page.`,
        )
        return { action: 'cancel' }
      }
      const source = `${question.source}${where}`
      const ask = (prompt: string) => readLine(shownPlainly(prompt), settled)
      const answer = await inTurn(() => askQuestion({ ...question, source }, { tell: tellPlainly, ask }))
      return settled.aborted ? null : answer
    },
  }
}

/** Tells all lines of what a person decides on but the last, behind which they answer. */
async function askLast(question: string, settled: AbortSignal): Promise<string | null> {
  const at = question.lastIndexOf('\n')
  if (at >= 0 && !settled.aborted) tellPlainly(question.slice(0, at))
  return readLine(shownPlainly(question.slice(at + 1)), settled)
}

/** What a sub-agent is called where the person talks with its caller. [AGENT71] */
function subAgentIn(conversationId: string): string {
  return `sub-agent in conversation ${conversationId}`
}

/** Says that something waits for a person who is not asked here, and where it is answered. [AGENT71] */
export function tellWaiting(entry: Asking, subAgentId: string | null): void {
  const who = subAgentId === null ? 'It' : `A ${subAgentIn(subAgentId)}`
  const what =
    entry.type === 'permission-requested'
      ? `permission: ${entry.tool} ${shown(entry.input)}`
      : `an answer: ${cut(entry.message)}`
  tell(`${who} waits for ${what}. Answer it in the page, under Needs you.`)
}

/** Says on one line of stderr that the line to the server was lost, and what became of that. */
export function tellOfLine(news: 'lost' | 'back' | 'given-up'): void {
  switch (news) {
    case 'lost':
      // The answer may stand in the middle of a line of the same terminal.
      process.stderr.write(
        `${process.stdout.isTTY ? '\n' : ''}The line to the server was lost; looking for it for ${AWAY_MS / 60_000} minutes …`,
      )
      return
    case 'back':
      process.stderr.write(' it is back, and nothing is missing.\n')
      return
    case 'given-up':
      process.stderr.write('\n')
      return
  }
}

function lineOf(entry: Entry): string | null {
  switch (entry.type) {
    case 'tool-call-started':
      return `> ${entry.name} ${shown(entry.input)}`
    case 'tool-call-settled':
      return entry.outcome === 'ok' ? null : `> ${entry.name}: ${entry.outcome}. ${firstText(entry)}`
    case 'files-changed':
      return entry.changes.map(({ kind, path }) => `> ${kind} ${path}`).join('\n')
    case 'notice-raised':
      return entry.text
    case 'step-failed':
      return `${entry.error.message}${entry.retryAt === undefined ? '' : ' Trying again.'}`
    // All else has no line of its own in a terminal.
    default:
      return null
  }
}

function firstText({ content }: EntryOf<'tool-call-settled'>): string {
  const first = content.find((part) => part.type === 'text')
  return first?.type === 'text' ? cut(first.text) : ''
}

function shown(input: Json): string {
  return cut(JSON.stringify(input))
}

/** On one line, without what would move the cursor or colour the terminal. */
function cut(text: string): string {
  const plain = plainText(text).replace(/\s+/g, ' ')
  return plain.length <= SHOWN_CHARS ? plain : `${plain.slice(0, SHOWN_CHARS)}…`
}

function tell(line: string | null): void {
  if (line !== null && line !== '') process.stderr.write(`${plainText(line)}\n`)
}

/** What a person decides on, with marks for what is not seen. */
function tellPlainly(line: string): void {
  process.stderr.write(`${shownPlainly(line)}\n`)
}
