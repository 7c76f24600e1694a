import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { unifiedMergeView } from '@codemirror/merge'
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search'
import { Compartment, EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { say } from '../shared/language/say.ts'
import { languageOf } from './editor-language.ts'

/** Lines that are selected, from 1. */
export interface SelectedLines {
  readonly from: number
  readonly to: number
}

interface CodeEditorProps {
  readonly path: string
  /** What it begins with; another text under another key. */
  readonly text: string
  readonly lineEnd: '\n' | '\r\n'
  readonly isReadOnly: boolean
  /** Another version, to which the differences are shown; null for none. */
  readonly against: string | null
  /** The line that is shown first; null for where it was. */
  readonly goTo: { readonly line: number; readonly round: number } | null
  readonly onChange: (text: string) => void
  readonly onSelect: (lines: SelectedLines | null) => void
  readonly onSave: () => void
}

/** The text of a file, read and written. Line ends stay as they are, and so does an end without one. [UI69] */
export function CodeEditor(props: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const latest = useRef(props)
  latest.current = props
  const { path, text, lineEnd, isReadOnly, against, goTo } = props

  // biome-ignore lint/correctness/useExhaustiveDependencies: the text it begins with is another under another key
  useEffect(() => {
    const element = host.current
    if (element === null) return
    // In a root of its own its styles are sheets and no elements, which the content policy of the page would refuse.
    const root = element.shadowRoot ?? element.attachShadow({ mode: 'open' })
    const language = new Compartment()
    const editor = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: text,
        extensions: [
          EditorState.lineSeparator.of(lineEnd),
          EditorState.readOnly.of(isReadOnly),
          // What is brought from elsewhere ends its lines as this file does.
          EditorView.clipboardInputFilter.of((brought) => brought.replace(/\r\n?|\n/g, lineEnd)),
          EditorView.domEventHandlers({
            keydown(event) {
              if (event.key !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return false
              event.preventDefault()
              latest.current.onSave()
              return true
            },
          }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) latest.current.onChange(update.state.sliceDoc())
            if (update.docChanged || update.selectionSet) latest.current.onSelect(selectedIn(update.state))
          }),
          EditorView.contentAttributes.of({
            'aria-label': isReadOnly ? say('tree.text-of', { path }) : say('tree.edit', { path }),
            dir: 'ltr',
          }),
          ...(against === null ? [] : [differences(against)]),
          ...LOOK,
          language.of([]),
          keymap.of([
            ...searchKeymap,
            ...historyKeymap,
            indentWithTab,
            ...defaultKeymap,
            // The keyboard is not caught in the text, where the tabulator is written.
            { key: 'Escape', run: () => leave(element) },
          ]),
        ],
      }),
    })
    view.current = editor
    let isThere = true
    void languageOf(path).then((found) => {
      if (isThere && found !== null) editor.dispatch({ effects: language.reconfigure(found) })
    })
    return () => {
      isThere = false
      editor.destroy()
      view.current = null
    }
  }, [path, lineEnd, isReadOnly, against])

  const line = goTo?.line ?? null
  const round = goTo?.round ?? null
  // biome-ignore lint/correctness/useExhaustiveDependencies: another round goes there again
  useEffect(() => {
    const editor = view.current
    if (editor === null || line === null) return
    const { from } = editor.state.doc.line(Math.max(1, Math.min(line, editor.state.doc.lines)))
    editor.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
  }, [line, round])

  return <div ref={host} className="code-editor" data-testid="code-editor" />
}

function leave(element: HTMLElement): boolean {
  element.closest('section')?.focus()
  return true
}

function selectedIn({ selection, doc }: EditorState): SelectedLines | null {
  const { from, to, empty } = selection.main
  if (empty) return null
  const last = doc.lineAt(to)
  // A selection that ends before the first letter of a line does not take it along.
  const end = last.from === to && to > from ? last.number - 1 : last.number
  return { from: doc.lineAt(from).number, to: end }
}

/** What is another, each place with a choice. */
function differences(theirs: string): Extension {
  return unifiedMergeView({
    original: theirs,
    gutter: true,
    highlightChanges: true,
    mergeControls(type, act) {
      const button = document.createElement('button')
      button.type = 'button'
      button.textContent = say(type === 'accept' ? 'tree.keep-mine-here' : 'tree.take-theirs-here')
      button.addEventListener('mousedown', act)
      return button
    },
  })
}

const COLOURS = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.modifier], color: 'var(--think)' },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--ok)' },
  { tag: [tags.comment, tags.meta], color: 'var(--ink-3)', fontStyle: 'italic' },
  { tag: [tags.number, tags.bool, tags.null, tags.atom], color: 'var(--warn)' },
  { tag: [tags.typeName, tags.className, tags.tagName], color: 'var(--run)' },
  { tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.heading, tags.strong], fontWeight: '600' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.link, textDecoration: 'underline' },
])

const THEME = EditorView.theme({
  '&': { height: '100%', color: 'var(--ink-1)', backgroundColor: 'var(--surface-1)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--font-mono)', lineHeight: '1.5' },
  '.cm-content': { caretColor: 'var(--ink-1)' },
  '.cm-gutters': { backgroundColor: 'var(--surface-1)', color: 'var(--ink-3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--surface-2)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink-1)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--edit-selected)',
  },
  '.cm-panels': { backgroundColor: 'var(--surface-2)', color: 'var(--ink-1)' },
  '.cm-panels input, .cm-panels button': { font: 'inherit', color: 'inherit', background: 'var(--surface-1)' },
  '.cm-changedLine, .cm-insertedLine': { backgroundColor: 'var(--edit-added)' },
  '.cm-changedText': { background: 'var(--edit-added-text)' },
  '.cm-deletedChunk': { backgroundColor: 'var(--edit-removed)' },
  '.cm-deletedText': { background: 'var(--edit-removed-text)' },
  '.cm-chunkButtons button': {
    font: 'var(--t-meta)',
    color: 'var(--ink-1)',
    background: 'var(--surface-1)',
    border: 'var(--edit-border)',
    borderRadius: '4px',
    marginInlineStart: '4px',
    cursor: 'pointer',
  },
})

const LOOK: readonly Extension[] = [
  lineNumbers(),
  history(),
  drawSelection(),
  highlightSpecialChars(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  highlightSelectionMatches(),
  indentOnInput(),
  bracketMatching(),
  search({ top: true }),
  syntaxHighlighting(COLOURS),
  THEME,
]
