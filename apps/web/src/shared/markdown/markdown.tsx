import type { BlockContent, List, Paragraph, PhrasingContent, RootContent, Table } from 'mdast'
import { memo, type ReactNode, useState } from 'react'
import { say } from '../language/say.ts'
import { CodeBlock } from './code-block.tsx'
import { InlineView, InlineViews } from './inline-views.tsx'
import { KeptHeight } from './kept-height.tsx'
import { createMarkdownReader, type MarkdownPiece } from './markdown-reader.ts'
import { TableView } from './table-view.tsx'
import { TexView } from './tex-view.tsx'

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
        <KeptHeight key={piece.at}>
          <ListPart node={piece.node} />
        </KeptHeight>
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

/** One block. What Markdown takes for HTML is shown as the text that it is. [SEC3] */
function BlockView({ node }: { readonly node: RootContent }): ReactNode {
  switch (node.type) {
    case 'paragraph':
      return (
        <p>
          <InlineViews nodes={node.children} />
        </p>
      )
    case 'heading':
      // An answer that was cut behind the mark of a heading has no words for it.
      return node.children.length === 0 ? null : <Heading depth={node.depth} nodes={node.children} />
    case 'list':
      return <ListView list={node} />
    case 'blockquote':
      return (
        <blockquote>
          <BlockViews nodes={node.children} />
        </blockquote>
      )
    case 'code':
      return <CodeBlock code={node.value} language={node.lang ?? null} />
    case 'math':
      return <TexView tex={node.value} isBlock />
    case 'table':
      return <TableView parts={[node]} />
    case 'thematicBreak':
      return <hr />
    case 'html':
      return <p className="raw">{node.value}</p>
    case 'footnoteDefinition':
      return (
        <div className="footnote">
          <sup>{node.label ?? node.identifier}</sup>
          <BlockViews nodes={node.children} />
        </div>
      )
    case 'definition':
    case 'yaml':
      return null
    case 'listItem':
    case 'tableRow':
    case 'tableCell':
      throw new Error(`A ${node.type} does not stand alone`)
    case 'break':
    case 'delete':
    case 'emphasis':
    case 'footnoteReference':
    case 'image':
    case 'imageReference':
    case 'inlineCode':
    case 'inlineMath':
    case 'link':
    case 'linkReference':
    case 'strong':
    case 'text':
      return <InlineView node={node} />
  }
}

function BlockViews({ nodes }: { readonly nodes: readonly RootContent[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a parsed block are never moved
  return nodes.map((node, index) => <BlockView key={index} node={node} />)
}

function Heading({ depth, nodes }: { readonly depth: number; readonly nodes: readonly PhrasingContent[] }) {
  const words = <InlineViews nodes={nodes} />
  if (depth === 1) return <h3 className="h1">{words}</h3>
  if (depth === 2) return <h4 className="h2">{words}</h4>
  return <h5 className="h3">{words}</h5>
}

function ListView({ list }: { readonly list: List }) {
  const items = list.children.map((item, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the items of a parsed list are never moved
    <li key={index} className={typeof item.checked === 'boolean' ? 'task' : undefined}>
      {typeof item.checked === 'boolean' && <TaskMark isDone={item.checked} />}
      {item.children.map((child, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the blocks of a parsed item are never moved
        <ItemPart key={place} node={child} isTight={item.spread !== true && list.spread !== true} />
      ))}
    </li>
  ))
  return list.ordered ? <ol start={list.start ?? 1}>{items}</ol> : <ul>{items}</ul>
}

function ItemPart({ node, isTight }: { readonly node: BlockContent | RootContent; readonly isTight: boolean }) {
  if (isTight && node.type === 'paragraph') return <InlineViews nodes={node.children} />
  return <BlockView node={node} />
}

function TaskMark({ isDone }: { readonly isDone: boolean }) {
  return (
    <svg
      className="icon task-mark"
      viewBox="0 0 16 16"
      role="img"
      aria-label={isDone ? say('markdown.done') : say('markdown.to-do')}
    >
      <rect x="2.5" y="2.5" width="11" height="11" rx="2" />
      {isDone && <path d="m5 8.2 2.1 2.1L11 5.8" />}
    </svg>
  )
}
