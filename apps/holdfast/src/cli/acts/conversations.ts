import { type ConversationRow, routes } from '@holdfast/protocol'
import { CliError } from '../../cli-error.ts'
import type { Api } from '../reach/api.ts'
import { withApi } from '../reach/with-api.ts'
import { cutToWidth } from '../terminal/cut-to-width.ts'
import { plainText } from '../terminal/plain-text.ts'

/** What `holdfast list` was asked for. */
export interface ListOptions {
  readonly archived: boolean
  readonly json: boolean
  readonly dataDir?: string
}

const PAGE = 200

/** Prints the conversations, newest change first. @returns the exit code. */
export async function listConversations({ archived, json, ...options }: ListOptions): Promise<number> {
  return withApi({ ...options, looksOnly: true }, async (api) => {
    for await (const row of conversationsOf(api, { archived }))
      process.stdout.write(json ? `${JSON.stringify(row)}\n` : lineOf(row))
    return 0
  })
}

/** All conversations of one half of the list, page by page. */
export async function* conversationsOf(
  api: Api,
  { archived }: { readonly archived: boolean },
): AsyncGenerator<ConversationRow> {
  let before: string | null = null
  do {
    const query: Record<string, string> = { archived: String(archived), limit: String(PAGE) }
    if (before !== null) query['before'] = before
    const page: { conversations: ConversationRow[]; next: string | null } = await api.call(routes.listConversations, {
      query,
    })
    yield* page.conversations
    before = page.next
  } while (before !== null)
}

/**
 * The id of the conversation that a person means: by its id, by a beginning of it that no other has, with or without the
 * word before the underscore, or `last` for the newest. What names none is given back: the server says so. [CLI6]
 *
 * @throws {CliError} when several begin so, or `last` is asked for and there is none.
 */
export async function conversationIdOf(api: Api, wanted: string): Promise<string> {
  if (wanted === 'last') return newestOf(api)
  const found: string[] = []
  for (const archived of [false, true])
    for await (const { id } of conversationsOf(api, { archived })) {
      if (id === wanted) return id
      if (id.startsWith(wanted) || id.slice(id.indexOf('_') + 1).startsWith(wanted)) found.push(id)
    }
  const [one] = found
  if (one === undefined) return wanted
  if (found.length === 1) return one
  const named = `${found.slice(0, NAMED).join(', ')}${found.length > NAMED ? ', …' : ''}`
  throw new CliError(
    'E_SEVERAL',
    2,
    `${found.length} conversations begin with ${wanted}: ${named}. Give more of the id.`,
  )
}

/** So many ids are named where several are meant. */
const NAMED = 5

async function newestOf(api: Api): Promise<string> {
  const { conversations } = await api.call(routes.listConversations, { query: { limit: '1' } })
  const [first] = conversations
  if (first) return first.id
  throw new CliError('E_NO_CONVERSATION', 3, 'There is no conversation yet. Begin one with: holdfast chat')
}

/** A line of the terminal ends where it does, and its id is as short as may be given back; a pipe gets all of both. [CLI6] */
function lineOf({ id, updatedAt, title, firstWords }: ConversationRow): string {
  const at = new Date(updatedAt).toISOString().slice(0, 16).replace('T', ' ')
  const words = plainText(title ?? firstWords ?? 'Untitled').replaceAll(/\s+/g, ' ')
  if (!process.stdout.isTTY) return `${id}  ${at}  ${words}\n`
  const beginning = id.slice(id.indexOf('_') + 1).slice(0, SHOWN_ID_CHARS)
  return `${cutToWidth(`${beginning}  ${at}  ${words}`, process.stdout.columns)}\n`
}

/** Two of a million conversations begin alike with a chance of one in five hundred; that is said when one is named. */
const SHOWN_ID_CHARS = 12
