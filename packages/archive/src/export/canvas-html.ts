import type { CanvasBlock, ExportedCanvas } from './canvas-blocks.ts'
import { escaped, linked } from './html-words.ts'

/** A canvas as a section of a page, without anything that is loaded. */
export function canvasHtml({ heading, elements }: ExportedCanvas): string {
  const parts = elements.map(({ id, title, blocks }) =>
    [
      '<article>',
      `<header>${escaped(title)} <small>${escaped(id)}</small></header>`,
      ...blocks.map(blockHtml).filter((html) => html !== ''),
      '</article>',
    ].join('\n'),
  )
  return [`<h2>${escaped(heading)}</h2>`, ...parts].join('\n')
}

function blockHtml(block: CanvasBlock): string {
  switch (block.type) {
    case 'words':
      return block.text === '' ? '' : `<p>${linked(block.text)}</p>`
    case 'body':
      return `<div class="words">${linked(block.text)}</div>`
    case 'source':
      return `<details><summary>HTML</summary><pre>${escaped(block.text)}</pre></details>`
    case 'table':
      return [
        '<table>',
        `<tr>${block.columns.map((cell) => `<th>${escaped(cell)}</th>`).join('')}</tr>`,
        ...block.rows.map((cells) => `<tr>${cells.map((cell) => `<td>${linked(cell)}</td>`).join('')}</tr>`),
        '</table>',
      ].join('\n')
    case 'items':
      return `<ul>${block.items.map(({ text, checked }) => `<li>${checked ? '☑' : '☐'} ${linked(text)}</li>`).join('')}</ul>`
  }
}
