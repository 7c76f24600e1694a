import type { TranscriptCall } from '@holdfast/conversation'
import { clockText, durationText } from '../shared/format.ts'
import { say } from '../shared/language/say.ts'
import type { CardState } from './card-state.ts'

/** Names under which tools are told what they work on, the most telling first. */
const OBJECT_NAMES = ['path', 'file_path', 'filePath', 'command', 'query', 'pattern', 'url', 'name', 'title', 'id']

/** The tool as it is known to people: without the server that it comes from. */
export function shortName(name: string): string {
  const parts = name.split(/__|:/)
  return parts.at(-1) || name
}

/** The input as a value; null when it is not whole. A model's input need not be JSON. [RUN10] */
export function inputValue({ inputText }: Pick<TranscriptCall, 'inputText'>): unknown {
  try {
    return JSON.parse(inputText)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

/** What the call works on, in one line; null when its input does not tell. */
export function objectOf(input: unknown): string | null {
  if (typeof input !== 'object' || input === null) return null
  const fields = new Map(Object.entries(input))
  for (const name of OBJECT_NAMES) {
    const value = fields.get(name)
    if (typeof value === 'string' && value !== '') return firstLine(value)
  }
  for (const value of fields.values()) if (typeof value === 'string' && value !== '') return firstLine(value)
  return null
}

/** How it stands, at the end of the card's line. `runningMs`: for how long it has been running. */
export function stateWords(state: CardState, call: TranscriptCall, runningMs: number): string {
  const duration = call.durationMs === null ? '' : durationText(call.durationMs)
  switch (state) {
    case 'preparing':
      return say('tools.preparing')
    case 'pending':
      return say('tools.about-to-run')
    case 'waiting':
      return say('tools.waiting-for-you')
    case 'running':
      return say('tools.running', { time: secondsText(Math.floor(runningMs / 1_000)) })
    case 'ok':
      return duration
    case 'error':
      return say('tools.failed-after', { time: duration })
    case 'denied':
      return say('tools.denied')
    case 'timed-out':
      return call.limitMs === undefined
        ? say('tools.timed-out-after', { time: duration })
        : say('tools.timed-out-at', { time: duration, limit: limitText(call.limitMs) })
    case 'aborted':
      return say('tools.aborted-after', { time: duration })
    case 'not-started':
      return call.complete ? say('tools.not-started') : say('tools.not-started-cut-inside-its')
    case 'unknown':
      return say('tools.outcome-unknown')
  }
}

function secondsText(seconds: number): string {
  return seconds < 60 ? say('page.seconds', { seconds: String(seconds) }) : clockText(seconds)
}

/** A limit as it was set: whole seconds without a digit behind the point. */
function limitText(ms: number): string {
  return ms % 1_000 === 0 ? secondsText(ms / 1_000) : durationText(ms)
}

function firstLine(text: string): string {
  const [line = ''] = text.split('\n')
  return line.length > 200 ? `${line.slice(0, 199)}…` : line
}
