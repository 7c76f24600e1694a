import type { NoteSkip } from '../import/skip.ts'
import type { SourceEvent, SourceUsage } from '../log/source-event.ts'
import type { TextFormat } from './format-reader.ts'

const STARTED = /^# aider chat started at (\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d)\s*$/
const STARTED_ANYWHERE = /^# aider chat started at \d{4}-\d\d-\d\d \d\d:\d\d:\d\d\s*$/m
const SAID = /^#### ?/
const TOLD = /^> ?/
const MODEL = /^(?:Main model|Models?): (\S+)/
const STOPPED = /^\^C KeyboardInterrupt/
const TOKENS = /^Tokens: /
const FENCE = /^\s*(?:```|~~~)/

/** What a person types at the prompt that is no message to the model: commands, but for those that ask something. */
const COMMAND = /^(?:!|\/(?!(?:ask|architect|code|context|help)\s+\S))/

const FIRST_WORDS = 80

/**
 * The chat history of aider, `.aider.chat.history.md`: one file holds all chats of a folder. `#### ` is the person, `> `
 * the program, the rest the model. Times are of when a chat began, taken as UTC since the file names no zone.
 */
export const aider: TextFormat = {
  name: 'aider',
  recognizes: (head) => STARTED_ANYWHERE.test(head),
  begins: (line) => STARTED.test(line),
  conversation(lines) {
    const [, day, time] = STARTED.exec(lines[0] ?? '') ?? []
    const at = day === undefined || time === undefined ? null : Date.parse(`${day}T${time}Z`)
    const first = messagesOf(blocksOf(lines))[0]
    if (first === undefined) return null
    return {
      sourceId: `${day === undefined ? 'before the first chat' : `${day} ${time}`} ${first.slice(0, FIRST_WORDS)}`,
      events: ({ note }) => eventsOf(blocksOf(lines), at, note),
    }
  },
}

/** Lines of one speaker that stand together. */
interface Block {
  readonly by: 'person' | 'program' | 'model'
  readonly lines: readonly string[]
}

function* blocksOf(lines: readonly string[]): Iterable<Block> {
  let block: { by: Block['by']; lines: string[] } = { by: 'model', lines: [] }
  let isFenced = false
  for (const line of lines) {
    if (STARTED.test(line)) continue
    const by = speakerOf(line, block.by === 'model' && isFenced)
    const isBlank = by === 'model' && line.trim() === ''
    // A blank line ends what a person or the program said; inside an answer it is part of it.
    if (by !== block.by) {
      if (block.lines.length > 0) yield block
      block = { by, lines: [] }
      isFenced = false
    }
    if (by === 'model' && FENCE.test(line)) isFenced = !isFenced
    if (!(isBlank && block.lines.length === 0)) block.lines.push(line)
  }
  if (block.lines.length > 0) yield block
}

/** Inside a fence only what aider prints at the end of an answer ends it: code has lines that look like anything. */
function speakerOf(line: string, isFenced: boolean): Block['by'] {
  const told = TOLD.test(line) ? line.replace(TOLD, '') : null
  if (isFenced) return told !== null && (STOPPED.test(told) || TOKENS.test(told)) ? 'program' : 'model'
  if (told !== null || line.trim() === '>') return 'program'
  return SAID.test(line) || line.trim() === '####' ? 'person' : 'model'
}

function messagesOf(blocks: Iterable<Block>): readonly string[] {
  return [...blocks].flatMap((block) => {
    const words = block.by === 'person' ? wordsOf(block) : ''
    return words === '' || COMMAND.test(words) ? [] : [words]
  })
}

function* eventsOf(blocks: Iterable<Block>, at: number | null, note: NoteSkip): Iterable<SourceEvent> {
  let modelId = 'unknown'
  for (const block of blocks) {
    const words = wordsOf(block)
    switch (block.by) {
      case 'person':
        if (words === '') break
        if (COMMAND.test(words)) note({ reason: 'not-conversation', what: `The command ${words.split('\n', 1)[0]}` })
        else yield { type: 'said', at, parts: [{ type: 'text', text: words }], by: 'person' }
        break
      case 'model':
        if (words === '') break
        yield {
          type: 'answered',
          at,
          answerId: null,
          providerId: 'unknown',
          modelId,
          blocks: [{ type: 'text', text: words }],
          usage: null,
          finish: null,
        }
        break
      case 'program':
        modelId = block.lines.map((line) => MODEL.exec(line.replace(TOLD, ''))?.[1]).find((id) => id) ?? modelId
        yield* toldEvents(block, at)
        note({ reason: 'not-conversation', what: 'What aider told about itself' })
    }
  }
}

function* toldEvents({ lines }: Block, at: number | null): Iterable<SourceEvent> {
  for (const line of lines) {
    const told = line.replace(TOLD, '')
    if (STOPPED.test(told)) yield { type: 'stopped', at }
    const usage = TOKENS.test(told) ? usageOf(told) : null
    if (usage !== null) yield { type: 'measured', usage }
  }
}

/** Of the prompt with the files and the map of the folder, which the history does not hold: `Tokens: 6.6k sent, 1.2k cache write, 3k cache hit, 342 received. Cost: $0.02 message, $0.10 session.` */
function usageOf(told: string): SourceUsage | null {
  const figure = (name: string): number => {
    const [, digits, thousands] = new RegExp(`([\\d.,]+)(k?) ${name}`).exec(told) ?? []
    if (digits === undefined) return 0
    const value = Number(digits.replaceAll(',', ''))
    return Number.isFinite(value) ? Math.round(thousands === 'k' ? value * 1_000 : value) : 0
  }
  const sent = figure('sent')
  const cached = { cacheReadTokens: figure('cache hit'), cacheCreation5mTokens: figure('cache write') }
  const cost = Number(/Cost: \$([\d.]+) (?:request|message)/.exec(told)?.[1])
  if (sent === 0) return null
  return {
    inputTokens: Math.max(0, sent - cached.cacheReadTokens - cached.cacheCreation5mTokens),
    ...cached,
    cacheCreation1hTokens: 0,
    outputTokens: figure('received'),
    thinkingTokens: 0,
    costUsd: Number.isFinite(cost) ? cost : null,
    isOutputFinal: true,
    isOfOtherPrompt: true,
  }
}

/** Without the marks of the speaker and the two spaces that end a line in Markdown. */
function wordsOf({ by, lines }: Block): string {
  return lines
    .map((line) =>
      by === 'person'
        ? line
            .replace(SAID, '')
            .replace(/^####$/, '')
            .replace(/ {2}$/, '')
        : line,
    )
    .join('\n')
    .trim()
}
