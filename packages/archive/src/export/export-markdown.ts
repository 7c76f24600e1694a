import type { ToolResultPart, TranscriptCall, TranscriptPart } from '@holdfast/conversation'
import { answerText } from './canvas-blocks.ts'
import { canvasMarkdown } from './canvas-markdown.ts'
import { type ExportOptions, remarksOf, speakerOf, timeText, usageText } from './export-options.ts'
import { type ExportedItem, exportedConversation, type ReadersSource } from './exported-conversation.ts'
import { fence, inline, quotation } from './markdown-words.ts'
import { mentionText } from './mention-text.ts'

/** The conversation as Markdown for people to read. What is code or a tool's text stands in fences that it cannot close. */
export async function* exportMarkdown(source: ReadersSource): AsyncGenerator<string> {
  const { title, warning, canvases, items } = await exportedConversation(source)
  yield `# ${inline(title)}`
  if (warning !== null) yield `\n\n**${inline(warning)}**`
  for await (const exported of items()) {
    const text = section(exported, source.options)
    if (text !== '') yield `\n\n${text}`
  }
  for (const canvas of canvases) yield `\n\n${canvasMarkdown(canvas)}`
  yield '\n'
}

function section(exported: ExportedItem, options: ExportOptions): string {
  const { item } = exported
  const remarks = remarksOf(exported)
  const head = [timeText(item.at), ...remarks].filter((text) => text !== '').join(', ')
  const parts = item.parts.flatMap((part) => partText(part, options))
  const calls = options.includesToolCalls ? item.toolCalls.flatMap(callText) : []
  const usage = options.includesUsage ? usageText(item) : null
  if (parts.length + calls.length === 0 && item.role === 'assistant' && remarks.length === 0) return ''
  return [
    `## ${speakerOf(item)} (${inline(head)})`,
    ...parts,
    ...calls,
    ...(usage === null ? [] : [`*${usage}*`]),
  ].join('\n\n')
}

function partText(part: TranscriptPart, { includesThinking, includesAttachments }: ExportOptions): string[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [part.text]
    case 'thinking':
      if (!includesThinking || part.text.trim() === '') return []
      return [quotation(part.text)]
    case 'image':
    case 'file':
      if (!includesAttachments) return []
      return [`[${inline(part.name ?? 'picture')}, ${inline(part.blob.mediaType)}, ${part.blob.sizeBytes} bytes]`]
    case 'quote':
      return [fence(part.text)]
    case 'element':
      return [`Element \`${inline(part.selector)}\``, fence(part.html)]
    case 'error':
      return [part.url === undefined ? 'Error' : `Error at ${inline(part.url)}`, fence(part.text)]
    case 'link':
      return [inline(part.title === undefined ? part.url : `${part.title} (${part.url})`)]
    case 'canvas':
      return part.answer === undefined
        ? [`Canvas element ${inline(part.name ?? part.elementId)}`, ...(part.text ? [fence(part.text)] : [])]
        : [`Answered ${inline(part.elementId)} on the canvas: ${inline(answerText(part.answer))}`]
    case 'resource':
      return [`Resource ${inline(part.name)} of ${inline(part.server)}`, fence(part.text)]
    case 'mention':
      return [`@${inline(mentionText(part))}`, ...(part.text ? [fence(part.text)] : [])]
  }
}

function callText({ name, inputText, outcome, state, output, late }: TranscriptCall): string[] {
  return [
    `**Tool ${inline(name)}** (${outcome ?? state})`,
    fence(inputText),
    ...output.flatMap(resultText),
    ...(late ? ['Returned later:', ...late.flatMap(resultText)] : []),
  ]
}

function resultText(part: ToolResultPart): string[] {
  if (part.type === 'image') return [`[${inline(part.name ?? 'picture')}, ${inline(part.blob.mediaType)}]`]
  return part.text === '' ? [] : [fence(part.text)]
}
