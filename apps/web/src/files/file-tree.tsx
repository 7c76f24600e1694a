import { useObservable } from '@holdfast/client/react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { VList, type VListHandle } from 'virtua'
import { Icon } from '../shared/icons.tsx'
import { type PlainKey, say } from '../shared/language/say.ts'
import { shownName } from '../shared/language/shown-name.ts'
import { type Mark, ROOT, type TreeRow } from './tree-rows.ts'
import type { TreeStore } from './tree-store.ts'

interface FileTreeProps {
  readonly tree: TreeStore
  readonly opened: string | null
  /** Files that this conversation changed. */
  readonly byAgent: ReadonlySet<string>
  /** Files with words that are not saved. */
  readonly unsaved: ReadonlySet<string>
  readonly onOpen: (path: string) => void
}

const MARK_WORDS: Readonly<Record<Mark | 'inside', PlainKey>> = {
  new: 'tree.is-new',
  changed: 'tree.is-changed',
  deleted: 'tree.is-deleted',
  conflict: 'tree.is-not-together',
  inside: 'tree.is-changed-in-it',
}

const MARK_SIGNS: Readonly<Record<Mark | 'inside', string>> = {
  new: 'A',
  changed: 'M',
  deleted: 'D',
  conflict: '!',
  inside: '·',
}

/** The files of a place, folder by folder. Of a hundred thousand only those in sight are drawn. [UI67] */
export function FileTree({ tree, opened, byAgent, unsaved, onOpen }: FileTreeProps) {
  const rows = useObservable(tree, (state) => state.rows)
  const list = useRef<VListHandle>(null)
  const [focused, setFocused] = useState<string | null>(null)
  const active = Math.max(
    0,
    rows.findIndex((row) => keyOf(row) === focused),
  )

  useEffect(() => {
    if (opened !== null) tree.reveal(opened)
  }, [tree, opened])

  function act(row: TreeRow): void {
    if (row.type === 'more') tree.readMore(row.path)
    if (row.type !== 'entry' || row.mark === 'deleted') return
    if (row.entry.type === 'folder') tree.toggle(row.path)
    else onOpen(row.path)
  }

  function goTo(index: number): void {
    const row = rows[index]
    if (row === undefined) return
    setFocused(keyOf(row))
    list.current?.scrollToIndex(index, { align: 'nearest' })
    document.getElementById(rowId(keyOf(row)))?.focus()
  }

  function onKey(event: KeyboardEvent): void {
    const row = rows[active]
    if (row === undefined) return
    const isFolder = row.type === 'entry' && row.entry.type === 'folder'
    if (event.key === 'ArrowDown') goTo(Math.min(rows.length - 1, active + 1))
    else if (event.key === 'ArrowUp') goTo(Math.max(0, active - 1))
    else if (event.key === 'Home') goTo(0)
    else if (event.key === 'End') goTo(rows.length - 1)
    else if (event.key === 'ArrowRight' && isFolder && !row.isOpen) act(row)
    else if (event.key === 'ArrowLeft' && isFolder && row.isOpen) act(row)
    else if (event.key === 'ArrowLeft')
      goTo(rows.findLastIndex((one, index) => index < active && one.depth < row.depth))
    else if (event.key === 'Enter' || event.key === ' ') act(row)
    else return
    event.preventDefault()
  }

  return (
    <div className="file-tree" role="tree" aria-label={say('dock.files')} onKeyDown={onKey} data-testid="file-tree">
      <VList ref={list}>
        {rows.map((row, index) => (
          <Row
            key={keyOf(row)}
            row={row}
            isActive={index === active}
            isOpened={row.type === 'entry' && row.path === opened}
            isByAgent={row.type === 'entry' && byAgent.has(row.path)}
            isUnsaved={row.type === 'entry' && unsaved.has(row.path)}
            onAct={() => {
              setFocused(keyOf(row))
              act(row)
            }}
          />
        ))}
      </VList>
    </div>
  )
}

interface RowProps {
  readonly row: TreeRow
  readonly isActive: boolean
  readonly isOpened: boolean
  readonly isByAgent: boolean
  readonly isUnsaved: boolean
  readonly onAct: () => void
}

function Row({ row, isActive, isOpened, isByAgent, isUnsaved, onAct }: RowProps) {
  const shared = {
    id: rowId(keyOf(row)),
    className: 'tree-row',
    'aria-level': row.depth + 1,
    style: { paddingInlineStart: 8 + row.depth * 14 },
    onClick: onAct,
  } as const
  const tabIndex = isActive ? 0 : -1
  switch (row.type) {
    case 'note':
      return (
        <div {...shared} role="treeitem" tabIndex={tabIndex} data-type="note">
          {say(row.note === 'reading' ? 'tree.reading' : row.note === 'empty' ? 'tree.empty' : 'tree.is-cut')}
        </div>
      )
    case 'problem':
      return (
        <div {...shared} role="treeitem" tabIndex={tabIndex} data-type="problem">
          {row.words}
        </div>
      )
    case 'more':
      return (
        <div
          {...shared}
          role="treeitem"
          tabIndex={tabIndex}
          data-type="more"
          ref={(element) => whenSeen(element, onAct)}
        >
          {say('tree.more', { count: row.restCount })}
        </div>
      )
    case 'entry': {
      const { entry, mark, isOpen } = row
      const isFolder = entry.type === 'folder'
      const name = shownName(entry.name)
      return (
        <div
          {...shared}
          role="treeitem"
          tabIndex={tabIndex}
          aria-expanded={isFolder ? isOpen : undefined}
          aria-selected={isOpened}
          data-type={entry.type}
          data-mark={mark ?? undefined}
          data-ignored={entry.isIgnored || undefined}
          title={titleOf(row, { isByAgent, isUnsaved })}
        >
          <span className="tree-sign" data-open={isOpen || undefined}>
            {isFolder ? <Icon name="right" /> : <Icon name={entry.type === 'link' ? 'enter' : 'sheet'} />}
          </span>
          <bdi className="tree-name">{name}</bdi>
          {isUnsaved && <span className="tree-unsaved">●</span>}
          {isByAgent && <span className="tree-agent">{say('tree.by-agent-short')}</span>}
          {mark !== null && <span className="tree-mark">{MARK_SIGNS[mark]}</span>}
        </div>
      )
    }
  }
}

function titleOf(
  { path, mark, entry }: Extract<TreeRow, { type: 'entry' }>,
  { isByAgent, isUnsaved }: { readonly isByAgent: boolean; readonly isUnsaved: boolean },
): string {
  const facts = [
    shownName(path),
    ...(mark === null ? [] : [say(MARK_WORDS[mark])]),
    ...(isByAgent ? [say('tree.by-agent')] : []),
    ...(isUnsaved ? [say('tree.not-saved')] : []),
    ...(entry.isIgnored ? [say('tree.ignored')] : []),
    ...(entry.type === 'link' ? [say('tree.link')] : []),
  ]
  return facts.join(' · ')
}

function keyOf(row: TreeRow): string {
  return row.type === 'entry' ? row.path : `${row.type} ${row.path}`
}

function rowId(key: string): string {
  return `tree-row-${key === ROOT ? 'root' : key}`
}

/** Calls once when the element comes into sight. */
function whenSeen(element: HTMLElement | null, onSeen: () => void): (() => void) | undefined {
  if (element === null) return undefined
  const observer = new IntersectionObserver(([seen]) => {
    if (seen?.isIntersecting) onSeen()
  })
  observer.observe(element)
  return () => observer.disconnect()
}
