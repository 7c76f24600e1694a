import type { Entry, ToolResultPart, TranscriptCall, TranscriptPart } from '@holdfast/conversation'
import {
  type ExportedItem,
  type ExportOptions,
  exportedConversation,
  remarksOf,
  speakerOf,
  timeText,
  usageText,
} from './export-options.ts'

/** The conversation as Markdown for people to read. What is code or a tool's text stands in fences that it cannot close. */
export function exportMarkdown(entries: readonly Entry[], options: ExportOptions): string {
  const { title, items } = exportedConversation(entries, options)
  const sections = items.map((exported) => section(exported, options)).filter((text) => text !== '')
  return `${[`# ${inline(title)}`, ...sections].join('\n\n')}\n`
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

function partText(part: TranscriptPart, { includesThinking }: ExportOptions): string[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [part.text]
    case 'thinking':
      if (!includesThinking || part.text.trim() === '') return []
      return [
        part.text
          .split('\n')
          .map((line) => `> ${line}`)
          .join('\n'),
      ]
    case 'image':
    case 'file':
      return [`[${inline(part.name ?? 'picture')}, ${inline(part.blob.mediaType)}, ${part.blob.sizeBytes} bytes]`]
    case 'quote':
      return [fence(part.text)]
    case 'element':
      return [`Element \`${inline(part.selector)}\``, fence(part.html)]
    case 'canvas':
      return [`Canvas element ${inline(part.elementId)}`]
    case 'resource':
      return [`Resource ${inline(part.name)} of ${inline(part.server)}`, fence(part.text)]
    case 'mention':
      return [`@${inline(part.id)}`]
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

/** A fence longer than any run of backticks in the text. */
function fence(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const marks = '`'.repeat(longest + 1)
  return `${marks}\n${text}\n${marks}`
}

/** Words in a line of their own making: no line ends, and nothing that Markdown or HTML would read as more than words. */
function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, (mark) => `\\${mark}`)
}
