import {
  CanvasLayout,
  CanvasMode,
  CanvasTheme,
  type CanvasWish,
  type Clock,
  type ElementType,
  keptFields,
  NotificationTone,
} from '@holdfast/conversation'
import { defineTool, type Tool, type ToolContext, type ToolReturn } from '@holdfast/tool'
import * as z from 'zod'
import { failureAnswer, textAnswer } from '../files/file-answer.ts'
import type { CanvasWriter } from './canvas-writer.ts'
import { ELEMENT_INPUTS, timerFields } from './element-inputs.ts'

/** What the tools work with. */
export interface CanvasToolsDeps {
  readonly writer: CanvasWriter
  readonly clock: Clock
}

/** It changes nothing outside the conversation, and calls of one answer happen in their order. [TOOL7] */
const DRAWS = {
  category: 'other',
  annotations: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  timeoutMs: 15_000,
} as const

const elementId = z.string().min(1).max(200).describe('The id that the canvas gave the element.')
const Fields = z.record(z.string(), z.json())

const SetModeInput = z.object({ mode: z.enum([...CanvasMode.options, 'clear']), layout: CanvasLayout.exactOptional() })

const SetThemeInput = z.object({ theme: CanvasTheme })

const ShowNotificationInput = z.object({
  text: z.string().trim().min(1).max(500),
  tone: NotificationTone.default('neutral'),
})

const UpdateElementInput = z.object({ id: elementId, fields: Fields })

const RemoveElementInput = z.object({ id: elementId })

/** The tools by which an agent draws on its canvas. Each answers with `{"id", "version"}`. [CANVAS1] */
export function createCanvasTools({ writer, clock }: CanvasToolsDeps): readonly Tool[] {
  async function ask(wish: CanvasWish, call: ToolContext): Promise<ToolReturn> {
    const answer = await writer.change(wish, call)
    if (answer.type === 'refused') return failureAnswer(answer.text)
    return textAnswer(JSON.stringify({ id: answer.elementId, version: answer.version }))
  }

  /** A tool that puts an element of one kind on the canvas. */
  function adding(type: ElementType, name: string, description: string): Tool {
    const input: z.ZodType = ELEMENT_INPUTS[type]
    return defineTool({
      ...DRAWS,
      name,
      description,
      input,
      argumentRoles: plain(ELEMENT_INPUTS[type].shape),
      run: (given, call) => {
        const fields = keptFields(Fields.parse(given))
        const content = type === 'timer' ? timerFields(fields, clock.now()) : fields
        return ask({ type: 'add', content: { ...content, type } }, call)
      },
    })
  }

  /** Shows a file of the conversation, or offers what stands at an address. */
  function playMedia(): Tool {
    return defineTool({
      ...DRAWS,
      name: 'canvas_play_media',
      description:
        'Shows a picture, sound or film on the canvas: a file that the person sent here, by its name, at once; or one at an http(s) address, which is loaded only if the person presses its button. Give one of the two.',
      input: ELEMENT_INPUTS.media,
      argumentRoles: plain(ELEMENT_INPUTS.media.shape),
      run: async ({ attachment, ...media }, call) => {
        const fields = keptFields(Fields.parse(media))
        if (attachment === undefined) return ask({ type: 'add', content: { ...fields, type: 'media' } }, call)
        const attachmentId = await writer.findAttachment(attachment, call)
        if (attachmentId === null) return failureAnswer(`No file ${attachment} was sent in this conversation.`)
        return ask({ type: 'add', content: { ...fields, attachmentId, type: 'media' } }, call)
      },
    })
  }

  return [
    defineTool({
      ...DRAWS,
      name: 'canvas_set_mode',
      description:
        'Sets how the canvas beside the conversation is shown: content (elements), media (media first), ambient (large and quiet), or clear, which empties it (the person can undo that).',
      input: SetModeInput,
      argumentRoles: plain({ mode: null, layout: null }),
      run: ({ mode, layout }, call) =>
        ask(mode === 'clear' ? { type: 'clear' } : { type: 'set-mode', mode, layout: layout ?? null }, call),
    }),
    defineTool({
      ...DRAWS,
      name: 'canvas_set_theme',
      description: 'Tints the canvas, and nothing else of the page.',
      input: SetThemeInput,
      argumentRoles: plain({ theme: null }),
      run: ({ theme }, call) => ask({ type: 'set-theme', theme }, call),
    }),
    adding(
      'card',
      'canvas_add_card',
      'Puts a titled card on the canvas: a figure at a glance, a body in Markdown, or both.',
    ),
    adding('text', 'canvas_show_text', 'Puts a text in Markdown on the canvas, for reading at length.'),
    adding(
      'chart',
      'canvas_show_chart',
      'Draws a chart (bar, line, area or pie): every series has one value, or null, for each label. A pie has one series.',
    ),
    adding(
      'table',
      'canvas_show_table',
      'Puts a table on the canvas: columns by name, or with kind text or number; every row has one cell for each column. The person can sort and copy it.',
    ),
    playMedia(),
    adding(
      'progress',
      'canvas_show_progress',
      'Shows how far something is: value of maximum. Update it as work goes on.',
    ),
    adding('timer', 'canvas_show_timer', 'Starts a timer that runs for so many seconds from now on.'),
    adding(
      'checklist',
      'canvas_show_checklist',
      'Puts a list of things to tick off on the canvas; the person can tick them too.',
    ),
    adding(
      'form',
      'canvas_show_form',
      'Asks the person to fill in fields. Answers at once with the id; what the person sends comes as a message of theirs, perhaps much later. Do not wait for it in a loop.',
    ),
    adding(
      'confirmation',
      'canvas_show_confirmation',
      'Asks the person to choose. Answers at once with the id; the choice comes as a message of the person, perhaps much later. Do not wait for it in a loop.',
    ),
    adding(
      'page',
      'canvas_show_page',
      'Offers a web page, game or drawing that you write: one HTML document with styles and scripts in it. The person opens it in a frame without network, storage or access to anything: nothing from other addresses loads, and it keeps nothing. To change it, update html by canvas_update_element: earlier versions can still be opened.',
    ),
    defineTool({
      ...DRAWS,
      name: 'canvas_show_notification',
      description: 'Shows a short message once to whoever looks at the conversation now. It is not kept.',
      input: ShowNotificationInput,
      argumentRoles: plain({ text: null, tone: null }),
      run: ({ text, tone }, call) => ask({ type: 'notify', text, tone }, call),
    }),
    defineTool({
      ...DRAWS,
      name: 'canvas_update_element',
      description: 'Gives fields of an element new values, by the names with which it was made; what is absent stays.',
      input: UpdateElementInput,
      argumentRoles: plain({ id: null, fields: null }),
      run: ({ id, fields }, call) =>
        ask({ type: 'update', elementId: id, fields: timerFields(keptFields(fields), clock.now()) }, call),
    }),
    defineTool({
      ...DRAWS,
      name: 'canvas_remove_element',
      description: 'Takes an element off the canvas. The person can undo that.',
      input: RemoveElementInput,
      argumentRoles: plain({ id: null }),
      run: ({ id }, call) => ask({ type: 'remove', elementId: id }, call),
    }),
  ]
}

/** Nothing of it is a path, a command or an address that is called on. */
function plain(shape: Readonly<Record<string, unknown>>): Record<string, 'plain'> {
  return Object.fromEntries(Object.keys(shape).map((name) => [name, 'plain']))
}

/** The names of the tools, for a permission rule: what they draw is the conversation's own. */
export const CANVAS_TOOL_NAMES: readonly string[] = [
  ...['canvas_set_mode', 'canvas_set_theme', 'canvas_add_card', 'canvas_show_text', 'canvas_show_chart'],
  ...['canvas_show_table', 'canvas_play_media', 'canvas_show_progress', 'canvas_show_timer', 'canvas_show_checklist'],
  ...['canvas_show_form', 'canvas_show_confirmation', 'canvas_show_page', 'canvas_show_notification'],
  ...['canvas_update_element', 'canvas_remove_element'],
]
