import type { Paragraph, Table } from 'mdast'
import { memo, useState } from 'react'
import { InlineViews } from './inline-views.tsx'
import { BlockView } from './markdown-node.tsx'
import { createMarkdownReader, type MarkdownPiece } from './markdown-reader.ts'
import { TableView } from './table-view.tsx'

/** Markdown that may still grow. What is finished of it is neither parsed nor rendered again. [SEC3] */
export function Markdown({ text, isComplete }: { readonly text: string; readonly isComplete: boolean }) {
  const [reader] = useState(createMarkdownReader)
  const { pieces, rest } = reader.read(text, isComplete)
  return (
    <div className="words markdown" dir="auto" data-growing={!isComplete || undefined}>
      {grouped(pieces).map((group) => (
        <Group key={group[0].at} pieces={group} />
      ))}
      {rest !== '' && <p className="markdown-rest">{rest}</p>}
    </div>
  )
}

/** At least one piece: a block, in the parts that it was read in. */
type PieceGroup = readonly [MarkdownPiece, ...MarkdownPiece[]]

const Group = memo(
  GroupView,
  (a, b) =>
    a.pieces.length === b.pieces.length && a.pieces.every((piece, index) => piece.node === b.pieces[index]?.node),
)

function GroupView({ pieces }: { readonly pieces: PieceGroup }) {
  const [{ node }] = pieces
  if (pieces.length === 1) return <BlockView node={node} />
  if (node.type === 'table') return <TableView parts={pieces.map((piece) => piece.node).filter(isTable)} />
  if (node.type === 'paragraph') {
    return (
      <p>
        {pieces.map((piece) => (
          <ParagraphPart key={piece.at} node={piece.node} />
        ))}
      </p>
    )
  }
  return (
    <div className="joined">
      {pieces.map((piece) => (
        <ListPart key={piece.at} node={piece.node} />
      ))}
    </div>
  )
}

const ParagraphPart = memo(function ParagraphPart({ node }: Pick<MarkdownPiece, 'node'>) {
  return isParagraph(node) ? <InlineViews nodes={node.children} /> : <BlockView node={node} />
})

const ListPart = memo(BlockView)

function grouped(pieces: readonly MarkdownPiece[]): readonly PieceGroup[] {
  const groups: [MarkdownPiece, ...MarkdownPiece[]][] = []
  for (const piece of pieces) {
    const group = groups.at(-1)
    if (piece.joins && group) group.push(piece)
    else groups.push([piece])
  }
  return groups
}

function isTable(node: MarkdownPiece['node']): node is Table {
  return node.type === 'table'
}

function isParagraph(node: MarkdownPiece['node']): node is Paragraph {
  return node.type === 'paragraph'
}
