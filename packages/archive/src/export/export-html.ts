import type { ToolResultPart, TranscriptCall, TranscriptPart } from '@holdfast/conversation'
import { answerText } from './canvas-blocks.ts'
import { canvasHtml } from './canvas-html.ts'
import { type ExportOptions, remarksOf, speakerOf, timeText, usageText } from './export-options.ts'
import { type ExportedItem, exportedConversation, type ReadersSource } from './exported-conversation.ts'
import { escaped, escapedPieces, linked, linkedPieces } from './html-words.ts'
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
    let text = ''
    for (const piece of section(exported, source.options)) {
      text += piece
      if (text.length < PIECE_CHARS) continue
      yield text
      text = ''
    }
    if (text !== '') yield text
  }
  for (const canvas of canvases) yield `${canvasHtml(canvas)}\n`
  yield '</body>\n</html>\n'
}

/** So much of an item is gathered before it is given. */
const PIECE_CHARS = 32_768

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

/** Text in the order in which it stands; what may be long comes in pieces. [SEC31] */
type Pieces = Iterable<string>

function* section(exported: ExportedItem, options: ExportOptions): Generator<string> {
  const { item } = exported
  const remarks = remarksOf(exported)
  const parts = item.parts.flatMap((part) => partHtml(part, options))
  const calls = options.includesToolCalls ? item.toolCalls.map(callHtml) : []
  const usage = options.includesUsage ? usageText(item) : null
  if (parts.length + calls.length === 0 && item.role === 'assistant' && remarks.length === 0) return
  const head = [timeText(item.at), ...remarks].filter((text) => text !== '').join(', ')
  yield `<article id="entry-${item.seq}">\n`
  yield `<header>${speakerOf(item)} <small>${escaped(head)}</small></header>\n`
  for (const pieces of [...parts, ...calls]) {
    yield* pieces
    yield '\n'
  }
  if (usage !== null) yield `<p><small>${escaped(usage)}</small></p>\n`
  yield '</article>\n'
}

function partHtml(part: TranscriptPart, { includesThinking, includesAttachments }: ExportOptions): Pieces[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [inside('<div class="words">', linkedPieces(part.text), '</div>')]
    case 'thinking':
      if (!includesThinking || part.text.trim() === '') return []
      return [inside('<blockquote class="words">', escapedPieces(part.text), '</blockquote>')]
    case 'image':
    case 'file':
      if (!includesAttachments) return []
      return [
        [`<p>[${escaped(part.name ?? 'picture')}, ${escaped(part.blob.mediaType)}, ${part.blob.sizeBytes} bytes]</p>`],
      ]
    case 'quote':
      return [inside('<blockquote class="words">', escapedPieces(part.text), '</blockquote>')]
    case 'element':
      return [inside(`<p>Element <code>${escaped(part.selector)}</code></p><pre>`, escapedPieces(part.html), '</pre>')]
    case 'error':
      return [
        inside(
          `<p>Error${part.url === undefined ? '' : ` at ${escaped(part.url)}`}</p><pre>`,
          escapedPieces(part.text),
          '</pre>',
        ),
      ]
    case 'link':
      return [[`<p>${part.title === undefined ? '' : `${escaped(part.title)} `}${linked(part.url)}</p>`]]
    case 'canvas':
      return part.answer === undefined
        ? [[`<p>Canvas element ${escaped(part.name ?? part.elementId)}</p>`], ...preformatted(part.text)]
        : [[`<p>Answered ${escaped(part.elementId)} on the canvas: ${escaped(answerText(part.answer))}</p>`]]
    case 'resource':
      return [
        inside(
          `<p>Resource ${escaped(part.name)} of ${escaped(part.server)}</p><pre>`,
          escapedPieces(part.text),
          '</pre>',
        ),
      ]
    case 'mention':
      return [[`<p>@${escaped(mentionText(part))}</p>`], ...preformatted(part.text)]
  }
}

function preformatted(text: string | undefined): Pieces[] {
  return text === undefined || text === '' ? [] : [inside('<pre>', escapedPieces(text), '</pre>')]
}

function* callHtml({ name, inputText, outcome, state, output, late }: TranscriptCall): Generator<string> {
  yield `<details><summary>Tool ${escaped(name)} (${outcome ?? state})</summary>\n`
  yield* inside('<pre>', escapedPieces(inputText), '</pre>\n')
  for (const [at, part] of [...output, ...(late ?? [])].entries()) {
    if (at > 0) yield '\n'
    yield* resultHtml(part)
  }
  yield '</details>'
}

function resultHtml(part: ToolResultPart): Pieces {
  return part.type === 'image'
    ? [`<p>[${escaped(part.name ?? 'picture')}, ${escaped(part.blob.mediaType)}]</p>`]
    : inside('<pre>', escapedPieces(part.text), '</pre>')
}

function* inside(open: string, pieces: Pieces, close: string): Generator<string> {
  yield open
  yield* pieces
  yield close
}
