import type { CanvasBlock, ExportedCanvas } from './canvas-blocks.ts'
import { fence, inline, quotation } from './markdown-words.ts'

/** A canvas as a section of Markdown. Bodies are quoted, so that nothing in them ends their element. */
export function canvasMarkdown({ heading, elements }: ExportedCanvas): string {
  const parts = elements.flatMap(({ id, title, blocks }) => [
    `### ${inline(title)} (${inline(id)})`,
    ...blocks.map(blockText).filter((text) => text !== ''),
  ])
  return [`## ${inline(heading)}`, ...parts].join('\n\n')
}

function blockText(block: CanvasBlock): string {
  switch (block.type) {
    case 'words':
      return inline(block.text)
    case 'body':
      return quotation(block.text)
    case 'source':
      return quotation(fence(block.text))
    case 'table':
      return [row(block.columns), row(block.columns.map(() => '---')), ...block.rows.map(row)].join('\n')
    case 'items':
      return block.items.map(({ text, checked }) => `- [${checked ? 'x' : ' '}] ${inline(text)}`).join('\n')
  }
}

function row(cells: readonly string[]): string {
  return `| ${cells.map(inline).join(' | ')} |`
}
