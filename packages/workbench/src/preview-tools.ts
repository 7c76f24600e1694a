import type { ToolsQuery } from '@holdfast/engine'
import { PictureError, type Preview, PreviewError, type Previews } from '@holdfast/preview'
import { defineTool, type Tool, type ToolReturn } from '@holdfast/tool'
import { type Machine, sandboxedBy } from '@holdfast/toolbox'
import * as z from 'zod'

/** What previews are to the tools of agents. */
export type AgentsPreviews = Pick<Previews, 'make' | 'list' | 'until' | 'log' | 'photograph'>

/** How long a call waits for a page, in milliseconds. */
const WAIT_MS = 60_000
const LOG_LINES = 200
const WIDTHS = { phone: 390, tablet: 768, desktop: 1_280 } as const

const Start = z.object({
  command: z
    .string()
    .min(1)
    .max(4_096)
    .optional()
    .describe('A command line that runs a dev server; absent: the one that is found in the workspace'),
  folder: z.string().max(1_024).optional().describe('Files to be shown as they are, instead of a command'),
})

const Named = z.object({ preview: z.string().optional().describe('Its id; absent: the only one') })

const Logs = Named.extend({ lines: z.int().min(1).max(LOG_LINES).default(50) })

const Screenshot = Named.extend({
  path: z.string().startsWith('/').max(4_096).default('/').describe('Of the page, with its query'),
  width: z.enum(['phone', 'tablet', 'desktop']).default('desktop'),
  selector: z.string().max(500).optional().describe('CSS selector of one element; absent: the page'),
  whole: z.boolean().default(false).describe('Down to the end of the page'),
})

/** Whose previews they are, and of which folder. */
interface PreviewsOf extends Pick<ToolsQuery, 'conversationId' | 'ownerId'> {
  readonly root: string
  /** Where dev servers run; null where no command does. */
  readonly machine: Pick<Machine, 'sandbox'> | null
}

/** Tools by which an agent shows the pages of its workspace, and sees them. [PREV2, PREV10] */
export function createPreviewTools(
  previews: AgentsPreviews,
  { conversationId, ownerId, root, machine }: PreviewsOf,
): readonly Tool[] {
  function own(): readonly Preview[] {
    return previews.list(ownerId).filter((one) => one.root === root)
  }

  /** Null where it is not clear which one is meant. */
  function named(id: string | undefined): Preview | null {
    const all = own()
    return (id === undefined && all.length === 1 ? all[0] : all.find((one) => one.id === id)) ?? null
  }

  const unclear = (): ToolReturn => {
    const ids = own().map(({ id }) => id)
    return told(
      ids.length === 0 ? 'There is no preview. Begin one with preview_start.' : `Which one? Known: ${ids.join(', ')}.`,
      true,
    )
  }

  const start = defineTool({
    name: 'preview_start',
    description:
      'Shows pages of the workspace to the person beside the conversation: starts the dev server (found by package.json, or by `command`) in the sandbox, or shows a folder of files, and waits until it answers. One that runs already goes on.',
    input: Start,
    category: 'execute',
    annotations: { readOnly: false, destructive: true, idempotent: true, openWorld: true },
    ...(machine === null ? {} : sandboxedBy(machine.sandbox)),
    argumentRoles: { command: 'shell-line', folder: 'path' },
    timeoutMs: WAIT_MS + 10_000,
    async run({ command, folder }, { signal, progress }) {
      if (command !== undefined && folder !== undefined) return told('Give a command or a folder, not both.', true)
      const source =
        folder === undefined
          ? ({ type: 'command', line: command ?? null } as const)
          : ({ type: 'folder', folder: folder === '.' ? '' : folder } as const)
      try {
        const { preview } = await previews.make({ userId: ownerId, workspaceId: undefined, conversationId, source })
        progress(`Starting ${preview.command ?? preview.id}`)
        const limit = AbortSignal.any([signal, AbortSignal.timeout(WAIT_MS)])
        const now = await previews.until(preview.id, limit)
        return told(inWords(now), now.state === 'crashed')
      } catch (error) {
        if (error instanceof PreviewError) return told(error.message, true)
        throw error
      }
    },
  })

  const status = defineTool({
    name: 'preview_status',
    description: 'Says how the previews of the workspace stand: their state, command, port and problem.',
    input: z.object({}),
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    timeoutMs: 10_000,
    run: (_input, { report }) => {
      const all = own()
      for (const one of all) if (one.problem !== null) report(wordsOf(one, 'its problem'))
      return told(all.length === 0 ? 'There are no previews.' : all.map(inWords).join('\n\n'), false)
    },
  })

  const logs = defineTool({
    name: 'preview_logs',
    description: 'Reads the last lines that the dev server of a preview printed.',
    input: Logs,
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { preview: 'plain' },
    timeoutMs: 10_000,
    run: ({ preview, lines }, { report }) => {
      const found = named(preview)
      if (found === null) return unclear()
      report(wordsOf(found, 'what its dev server printed'))
      const text = previews.log(found.id).trimEnd().split('\n').slice(-lines).join('\n')
      return told(text === '' ? 'It has printed nothing.' : text, false)
    },
  })

  const screenshot = defineTool({
    name: 'preview_screenshot',
    description:
      'Takes a picture of a preview, as a person would see it at the width of a phone, a tablet or a desktop: the page, all of it, or one element.',
    input: Screenshot,
    category: 'read',
    annotations: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
    argumentRoles: { preview: 'plain', path: 'plain', width: 'plain', selector: 'plain' },
    timeoutMs: 40_000,
    async run({ preview, path, width, selector, whole }, { signal, report }): Promise<ToolReturn> {
      const found = named(preview)
      if (found === null) return unclear()
      if (found.state !== 'ready') return told(`There is no page to be seen.\n${inWords(found)}`, true)
      try {
        const shot = { path, width: WIDTHS[width], selector: selector ?? null, isWhole: whole }
        const picture = await previews.photograph({ previewId: found.id, userId: ownerId, ...shot }, signal)
        report(wordsOf(found, 'its page'))
        const { bytes, mediaType, status: answered, failedCount } = picture
        const missing =
          failedCount === 0
            ? ''
            : ` ${failedCount} things that it asked for did not come; what is elsewhere is not loaded here.`
        return {
          type: 'tool-return',
          text: `${path} at ${picture.width} x ${picture.height}, status ${answered ?? 'unknown'}.${missing}`,
          isError: false,
          images: [{ bytes, mediaType, name: `${found.id}-${width}` }],
        }
      } catch (error) {
        if (error instanceof PictureError || error instanceof PreviewError) return told(error.message, true)
        throw error
      }
    },
  })
  return [start, status, logs, screenshot]
}

/** What a page shows and its server prints is as strange as what it was made of. [PERM7] */
function wordsOf({ id }: Preview, what: string) {
  return { type: 'strangers-read', files: [`${what} (preview ${id})`] } as const
}

function inWords({ id, state, command, port, ports, problem, log, origin }: Preview): string {
  const others = ports.filter((one) => one !== port)
  return [
    `${id}: ${state}${port === null ? '' : ` at port ${port}`}. The person sees it at ${origin}.`,
    ...(command === null ? [] : [`Command: ${JSON.stringify(command)}`]),
    ...(others.length === 0 ? [] : [`It listens at ${others.join(', ')} too.`]),
    ...(problem === null ? [] : [`Problem: ${problem}`]),
    ...(state === 'starting' ? [`Its last lines:\n${log.trimEnd().split('\n').slice(-20).join('\n')}`] : []),
  ].join('\n')
}

function told(text: string, isError: boolean): ToolReturn {
  return { type: 'tool-return', text, isError, images: [] }
}
