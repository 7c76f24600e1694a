import type { ToolResultPart, TranscriptCall, TranscriptPart } from '@holdfast/conversation'
import { answerText } from './canvas-blocks.ts'
import { canvasHtml } from './canvas-html.ts'
import { type ExportOptions, remarksOf, speakerOf, timeText, usageText } from './export-options.ts'
import { type ExportedItem, exportedConversation, type ReadersSource } from './exported-conversation.ts'
import { escaped, linked } from './html-words.ts'
import { mentionText } from './mention-text.ts'

/**
 * The conversation as one HTML file without scripts, styles from elsewhere or pictures: it asks nothing of the network.
 * All words are escaped; an address becomes a link only if it is http or https. A policy in the file forbids the rest.
 */
export async function* exportHtml(source: ReadersSource): AsyncGenerator<string> {
  const { title, warning, canvases, items } = await exportedConversation(source)
  yield `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(title)}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>${escaped(title)}</h1>${warning === null ? '' : `\n<p><strong>${escaped(warning)}</strong></p>`}
`
  for await (const exported of items()) {
    const text = section(exported, source.options)
    if (text !== '') yield `${text}\n`
  }
  for (const canvas of canvases) yield `${canvasHtml(canvas)}\n`
  yield '</body>\n</html>\n'
}

const STYLE = [
  ':root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}',
  'body{max-width:48rem;margin:2rem auto;padding:0 1rem}',
  'article{border-top:1px solid #8886;padding:.5rem 0}',
  'header{font-weight:600}small{font-weight:400;opacity:.7}',
  '.words{white-space:pre-wrap;overflow-wrap:anywhere}',
  'pre{white-space:pre-wrap;overflow-wrap:anywhere;border:1px solid #8886;padding:.5rem}',
  'table{border-collapse:collapse;display:block;overflow-x:auto}th,td{border:1px solid #8886;padding:.2rem .5rem;text-align:start}',
  'blockquote{margin:0;padding-left:1rem;border-left:3px solid #8886;opacity:.8}',
].join('')

function section(exported: ExportedItem, options: ExportOptions): string {
  const { item } = exported
  const remarks = remarksOf(exported)
  const parts = item.parts.flatMap((part) => partHtml(part, options))
  const calls = options.includesToolCalls ? item.toolCalls.map(callHtml) : []
  const usage = options.includesUsage ? usageText(item) : null
  if (parts.length + calls.length === 0 && item.role === 'assistant' && remarks.length === 0) return ''
  const head = [timeText(item.at), ...remarks].filter((text) => text !== '').join(', ')
  return [
    `<article id="entry-${item.seq}">`,
    `<header>${speakerOf(item)} <small>${escaped(head)}</small></header>`,
    ...parts,
    ...calls,
    ...(usage === null ? [] : [`<p><small>${escaped(usage)}</small></p>`]),
    '</article>',
  ].join('\n')
}

function partHtml(part: TranscriptPart, { includesThinking, includesAttachments }: ExportOptions): string[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [`<div class="words">${linked(part.text)}</div>`]
    case 'thinking':
      if (!includesThinking || part.text.trim() === '') return []
      return [`<blockquote class="words">${escaped(part.text)}</blockquote>`]
    case 'image':
    case 'file':
      if (!includesAttachments) return []
      return [
        `<p>[${escaped(part.name ?? 'picture')}, ${escaped(part.blob.mediaType)}, ${part.blob.sizeBytes} bytes]</p>`,
      ]
    case 'quote':
      return [`<blockquote class="words">${escaped(part.text)}</blockquote>`]
    case 'element':
      return [`<p>Element <code>${escaped(part.selector)}</code></p><pre>${escaped(part.html)}</pre>`]
    case 'error':
      return [`<p>Error${part.url === undefined ? '' : ` at ${escaped(part.url)}`}</p><pre>${escaped(part.text)}</pre>`]
    case 'link':
      return [`<p>${part.title === undefined ? '' : `${escaped(part.title)} `}${linked(part.url)}</p>`]
    case 'canvas':
      return part.answer === undefined
        ? [`<p>Canvas element ${escaped(part.name ?? part.elementId)}</p>`, ...preformatted(part.text)]
        : [`<p>Answered ${escaped(part.elementId)} on the canvas: ${escaped(answerText(part.answer))}</p>`]
    case 'resource':
      return [`<p>Resource ${escaped(part.name)} of ${escaped(part.server)}</p><pre>${escaped(part.text)}</pre>`]
    case 'mention':
      return [`<p>@${escaped(mentionText(part))}</p>`, ...preformatted(part.text)]
  }
}

function preformatted(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : [`<pre>${escaped(text)}</pre>`]
}

function callHtml({ name, inputText, outcome, state, output, late }: TranscriptCall): string {
  const results = [...output, ...(late ?? [])].map(resultHtml).join('\n')
  return `<details><summary>Tool ${escaped(name)} (${outcome ?? state})</summary>\n<pre>${escaped(inputText)}</pre>\n${results}</details>`
}

function resultHtml(part: ToolResultPart): string {
  return part.type === 'image'
    ? `<p>[${escaped(part.name ?? 'picture')}, ${escaped(part.blob.mediaType)}]</p>`
    : `<pre>${escaped(part.text)}</pre>`
}
