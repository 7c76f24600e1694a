import type { ConversationSettings } from '@holdfast/conversation'
import { defineTool, type Tool } from '@holdfast/tool'
import * as z from 'zod'
import type { FolderMaps } from './folder-maps.ts'
import type { FileReader } from './known-files.ts'

/** Tokens of a page, about. */
const PAGE_TOKENS = 4_000
/** Characters of code for a token, about: a result is bounded by its characters. */
const CHARS_PER_TOKEN = 4
const MOST_PAGES = 20

const Input = z.object({
  focus: z
    .string()
    .max(2_000)
    .default('')
    .describe('What it is to be about: names, paths or words of a task. Empty: what others refer to most'),
  page: z.int().min(1).max(MOST_PAGES).default(1).describe('The next page has what matters less'),
})

/** The map of the folder, for a model that asks for it. [TOOL17] */
export function createMapTool(
  maps: Pick<FolderMaps, 'draw'>,
  { settings, ...reader }: FileReader & { readonly settings: ConversationSettings },
): Tool {
  return defineTool({
    name: 'repository_map',
    description:
      'Shows what is where in the workspace: the files that matter most for a focus, with the lines that define what other files use. Use it to find the files of a task before you search or read.',
    input: Input,
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { focus: 'plain', page: 'plain' },
    timeoutMs: 60_000,
    async run({ focus, page }, { signal }) {
      const tokensOf = (text: string) => Math.ceil(text.length / CHARS_PER_TOKEN)
      const map = await maps.draw({ reader, settings, focus, page, budgetTokens: PAGE_TOKENS, tokensOf }, signal)
      if (map === null)
        return answer('The map cannot be drawn now: its thread was lost or took too long. Use glob and search.', true)
      if (map.text === '') return answer(page === 1 ? 'There are no files here.' : `There is no page ${page}.`, false)
      const more = map.hasMore && page < MOST_PAGES ? `\nPage ${page + 1} has what matters less.` : ''
      return answer(`${map.text}${more}`, false)
    },
  })
}

function answer(text: string, isError: boolean) {
  return { content: [{ type: 'text', text } as const], isError }
}
