import type { Json } from '@holdfast/conversation'
import * as z from 'zod'

const OwnEdit = z.looseObject({ path: z.string(), old_text: z.string(), new_text: z.string() })
const AgentEdit = z.looseObject({ path: z.string(), oldText: z.string(), newText: z.string() })
const AgentWrite = z.looseObject({ path: z.string(), content: z.string() })

/** What an own call of an external agent changes; its paths are whole where they lead out of its folder. [AGENT76] */
const AGENTS_CHANGES: ReadonlySet<string> = new Set(['agent_edit', 'agent_delete', 'agent_move'])

const EditedPaths = z.looseObject({ path: z.string().optional(), paths: z.array(z.string()).optional() })

/** Characters of the beginning and of the end of what a person is asked about. */
const DECIDED_CHARS = 4_000

/** What a person at a terminal decides on: an edit by its path and its lines, all else by its input. [AGENT78] */
export function askedWords({
  tool,
  input,
  reason,
}: {
  readonly tool: string
  readonly input: Json
  readonly reason: string
}): string {
  const why = withOneStop(reason)
  const edit = textsOf(tool, input)
  const where = besideWork(tool, input)
  if (edit === null) return `Allow ${tool}${where} ${whole(JSON.stringify(input))}? ${why}`
  const { path, before, after, rest } = edit
  const lines = changedLines(before, after)
  const more = JSON.stringify(rest)
  return [
    // A path of several lines would pass for lines of the edit.
    `Allow ${tool} of ${/[\r\n]/.test(path) ? JSON.stringify(path) : path}${where}?`,
    lines.length === 0 ? 'It changes no line.' : whole(lines.join('\n')),
    ...(more === '{}' ? [] : [`Beside that: ${whole(more)}`]),
    why,
  ].join('\n')
}

function withOneStop(sentence: string): string {
  let words = sentence.trimEnd()
  while (words.endsWith('.')) words = words.slice(0, -1).trimEnd()
  return `${words}.`
}

/** All of it; of what is very long its beginning and its end, with how much stands between. [UI32] */
function whole(text: string): string {
  if (text.length <= 2 * DECIDED_CHARS) return text
  const left = text.length - 2 * DECIDED_CHARS
  return `${text.slice(0, DECIDED_CHARS)} ‹${left} characters are not shown› ${text.slice(-DECIDED_CHARS)}`
}

/** Where a change of an agent leads, if not within its work; empty for all else. */
function besideWork(tool: string, input: Json): string {
  const named = AGENTS_CHANGES.has(tool) ? EditedPaths.safeParse(input).data : undefined
  const paths = [...(named?.path === undefined ? [] : [named.path]), ...(named?.paths ?? [])]
  if (paths.some((path) => path.startsWith('/'))) return ' (outside of its folder)'
  return paths.some((path) => /(?:^|\/)\.git(?:\/|$)/i.test(path)) ? ' (in the folder of git itself)' : ''
}

interface Edit {
  readonly path: string
  readonly before: string
  readonly after: string
  readonly rest: Json
}

function textsOf(tool: string, input: Json): Edit | null {
  const own = tool === 'edit' ? OwnEdit.safeParse(input).data : undefined
  if (own) {
    const { path, old_text: before, new_text: after } = own
    return { path, before, after, rest: without(input, ['path', 'old_text', 'new_text']) }
  }
  const byAgent = tool === 'agent_edit' ? AgentEdit.safeParse(input).data : undefined
  if (byAgent) {
    const { path, oldText: before, newText: after } = byAgent
    return { path, before, after, rest: without(input, ['path', 'oldText', 'newText']) }
  }
  const written = tool === 'agent_edit' || tool === 'write' ? AgentWrite.safeParse(input).data : undefined
  if (!written) return null
  return { path: written.path, before: '', after: written.content, rest: without(input, ['path', 'content']) }
}

function without(input: Json, names: readonly string[]): Json {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return {}
  return Object.fromEntries(Object.entries(input).filter(([name]) => !names.includes(name)))
}

/** The lines that go and those that come, without what stays before and behind them. */
function changedLines(before: string, after: string): readonly string[] {
  const old = linesOf(before)
  const now = linesOf(after)
  const most = Math.min(old.length, now.length)
  let head = 0
  while (head < most && old[head] === now[head]) head++
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  return [
    ...old.slice(head, old.length - tail).map((line) => `- ${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+ ${line}`),
  ]
}

/** A line keeps the break at its end, so that one without is told from one with; an empty text has none. */
function linesOf(text: string): readonly string[] {
  return text === ''
    ? []
    : text
        .split(/(?<=\n)/)
        .map((line) => (line.endsWith('\n') ? line.slice(0, -1) : `${line} ‹no line break at its end›`))
}
