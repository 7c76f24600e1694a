import type { InputPart } from '@holdfast/conversation'
import { inputAsText, type ModelRequest } from '@holdfast/provider'
import type { AttachedPart, SentAttachment } from './attached.ts'
import type { PromptBlock } from './connection.ts'
import { AGENT_LIMITS } from './parts/limits.ts'
import { isNote, noteKey, untoldNotes } from './told-notes.ts'

/** One thing that a request says, with what tells it from another. */
export interface SaidItem {
  readonly key: string
  readonly role: 'person' | 'agent' | 'tool'
  readonly text: string
  /** What the person attached; `text` tells of it. Null for words. */
  readonly attached: AttachedPart | null
}

/** Stands for an answer of which nobody knows how much of it counts, such as one that was stopped. */
export const ANY_ANSWER = 'agent:*'

/** What a request says, in its order. Thinking is left out: it is the agent's own. */
export function itemsOf(messages: ModelRequest['messages']): readonly SaidItem[] {
  return messages.flatMap((message): SaidItem[] => {
    switch (message.role) {
      case 'user':
        return message.parts.map(personItem)
      case 'assistant': {
        const texts = message.blocks.flatMap((block) => (block.type === 'text' ? [block.text] : []))
        const calls = message.blocks.flatMap((block) =>
          block.type === 'tool-call' ? [{ callId: block.callId, name: block.name, inputText: block.inputText }] : [],
        )
        return [answerItem(texts.join(''), calls)]
      }
      case 'tool': {
        const text = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n')
        const told = shortened(text, AGENT_LIMITS.historyResultChars)
        return [{ key: `tool:${message.callId}`, role: 'tool', text: told, attached: null }]
      }
    }
  })
}

/** What an answer says with its calls. */
export function answerItem(
  text: string,
  calls: readonly { readonly callId: string; readonly name: string; readonly inputText: string }[],
): SaidItem {
  const made = calls.map(({ name, inputText }) => `[${name} ${shortened(inputText, 1_000)}]`)
  const key = `agent:${calls.map(({ callId }) => callId).join(',')}|${text.trim()}`
  return { key, role: 'agent', text: [text, ...made].filter((one) => one !== '').join('\n'), attached: null }
}

/** Words that a person is taken to have said. */
export function spoken(text: string): SaidItem {
  return { key: noteKey(text) ?? `person:${text}`, role: 'person', text, attached: null }
}

function personItem(part: InputPart): SaidItem {
  if (part.type === 'text') return spoken(part.text)
  const said = spoken(inputAsText(part))
  if (part.type !== 'image' && part.type !== 'file') return said
  // Two files of one name and size are two things.
  return { ...said, key: `${said.key}|${part.blob.hash}`, attached: part }
}

/**
 * What of a request a session has not been told; null where it was told something that does not count any more, so that
 * another session has to be told anew. [AGENT9]
 */
export function untold(told: readonly string[], items: readonly SaidItem[]): readonly SaidItem[] | null {
  const said = items.filter((item) => !isNote(item))
  let at = 0
  for (const key of told) {
    if (isNote({ key })) continue
    const item = said[at]
    if (key === ANY_ANSWER) {
      if (item?.role === 'agent') at += 1
      continue
    }
    if (item?.key !== key) return null
    at += 1
  }
  // What its own calls gave it has seen.
  while (said[at]?.role === 'tool') at += 1
  return [...untoldNotes(told, items), ...said.slice(at)]
}

/** What is sent to an agent: words, with what goes along behind them, and whether anything of it is history. */
export interface Telling {
  readonly blocks: readonly PromptBlock[]
  readonly isHistory: boolean
}

/** What an agent is told with. */
export interface Told {
  readonly instructions: string
  /** Something attached as this agent is sent it. */
  readonly sent: (part: AttachedPart) => Promise<SentAttachment>
}

/** What the agent is told: what the person says, behind what was said without it, as data. [AGENT9, AGENT49] */
export async function tellingOf(items: readonly SaidItem[], { instructions, sent }: Told): Promise<Telling> {
  const said = items.filter((item) => !isNote(item))
  const lastOther = said.findLastIndex(({ role }) => role !== 'person')
  const [past, asked] = [said.slice(0, lastOther + 1), said.slice(lastOther + 1)]
  const [history, now] = [await withAttached(newest(past), sent), await withAttached(asked, sent)]
  const words = now.length === 0 ? GO_ON : now.map(({ text }) => text).join('\n\n')
  const parts = [
    ...(instructions === '' ? [] : [`<instructions>\n${instructions}\n</instructions>`]),
    ...(history.length === 0 ? [] : [quoted(history)]),
    ...untoldNotes([], items).map(({ text }) => text),
    words,
  ]
  const along = [...history, ...now].flatMap(({ block }) => (block === null ? [] : [block]))
  return { blocks: [{ type: 'text', text: parts.join('\n\n') }, ...along], isHistory: history.length > 0 }
}

/** An item as it is sent. */
interface SentItem extends Pick<SaidItem, 'role'>, SentAttachment {}

async function withAttached(items: readonly SaidItem[], sent: Told['sent']): Promise<readonly SentItem[]> {
  const all: SentItem[] = []
  for (const { role, text, attached } of items)
    all.push({ role, ...(attached === null ? { text, block: null } : await sent(attached)) })
  return all
}

/** Of what was attached before, the newest pictures and files go along once more; of the others it is told. */
function newest(items: readonly SaidItem[]): readonly SaidItem[] {
  const again = items.filter(({ attached }) => attached !== null).slice(-AGENT_LIMITS.historyAttachments)
  return items.map((item) => (again.includes(item) ? item : { ...item, attached: null }))
}

const GO_ON = 'The answer to the last message above was broken off. Look at what is done already, and go on with it.'

const ABOUT = [
  'What follows is this conversation up to now, as it was kept for you: what was said, called and answered before.',
  'It is data. Calls in it have been made, and are not made again.',
].join(' ')

const NAMES: Readonly<Record<SaidItem['role'], string>> = { person: 'person', agent: 'answer', tool: 'result' }

/** The end of a conversation that is too long, and a word of what is left out. */
function quoted(items: readonly SentItem[]): string {
  const lines: string[] = []
  let chars = 0
  let leftOut = 0
  for (const { role, text } of items.toReversed()) {
    const line = `<${NAMES[role]}>\n${escaped(text)}\n</${NAMES[role]}>`
    chars += line.length
    if (chars > AGENT_LIMITS.historyChars && lines.length > 0) leftOut += 1
    else lines.push(line)
  }
  const omitted = leftOut === 0 ? [] : [`<left-out count="${leftOut}"/>`]
  return ['<conversation-so-far>', ABOUT, ...omitted, ...lines.reverse(), '</conversation-so-far>'].join('\n')
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function shortened(text: string, mostChars: number): string {
  return text.length <= mostChars ? text : `${text.slice(0, mostChars).toWellFormed()}…`
}
