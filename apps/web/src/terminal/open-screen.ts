import '@xterm/xterm/css/xterm.css'
import type { OpenedTerminal, TerminalApi, TerminalQuery, TerminalScreen } from '@holdfast/client'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import { quietQueries } from './quiet-queries.ts'
import { styledDocument } from './styled-document.ts'
import { themeOf } from './terminal-theme.ts'

/** A terminal drawn in an element. */
export interface DrawnTerminal {
  selection(): string
  focus(): void
  /** Ends the terminal with all that it started. */
  end(): void
  /** Draws it no longer; the terminal goes on. */
  close(): void
}

/** What is told of one. */
export interface DrawnListener extends Pick<TerminalScreen, 'ended' | 'refused'> {
  onSelection(hasSelection: boolean): void
  /** Something is drawn. */
  onDrawn(): void
}

/** What one is drawn with. */
export interface DrawnDeps {
  readonly host: HTMLElement
  readonly terminals: TerminalApi
  readonly query: Omit<TerminalQuery, 'columns' | 'rows'>
  readonly name: string
  readonly listener: DrawnListener
}

const SCROLLBACK_LINES = 10_000
const LEAST = { columns: 20, rows: 4 } as const
const MOST = { columns: 400, rows: 200 } as const

/** Draws a terminal in an element, in the size that fits. */
export function openScreen({ host, terminals, query, name, listener }: DrawnDeps): DrawnTerminal {
  const { fontFamily } = getComputedStyle(host)
  const screen = new Terminal({
    documentOverride: styledDocument(host.ownerDocument),
    allowProposedApi: true,
    logLevel: 'off',
    scrollback: SCROLLBACK_LINES,
    fontFamily,
    fontSize: 13,
    lineHeight: 1.15,
    cursorBlink: false,
    minimumContrastRatio: 4.5,
    theme: themeOf(host),
  })
  const fit = new FitAddon()
  screen.loadAddon(fit)
  quietQueries(screen.parser)
  screen.open(host)
  screen.textarea?.setAttribute('aria-label', name)
  screen.attachCustomKeyEventHandler((event) => isForTerminal(event, screen))

  let own = fitting()
  let isClosed = false
  screen.resize(own.columns, own.rows)

  function fitting() {
    const { cols, rows } = fit.proposeDimensions() ?? { cols: 80, rows: 24 }
    return {
      columns: Math.min(Math.max(cols, LEAST.columns), MOST.columns),
      rows: Math.min(Math.max(rows, LEAST.rows), MOST.rows),
    }
  }

  const view: OpenedTerminal = terminals.open(
    { ...query, ...own },
    {
      begin({ columns, rows }) {
        screen.reset()
        screen.resize(columns, rows)
        // The page may have grown while the terminal was opened.
        takeSize()
      },
      write(text, onDrawn) {
        screen.write(text, () => {
          if (isClosed) return
          onDrawn()
          listener.onDrawn()
        })
      },
      resized: ({ columns, rows }) => screen.resize(columns, rows),
      ended(end) {
        screen.options.disableStdin = true
        listener.ended(end)
      },
      refused: listener.refused,
    },
  )

  /** It has the size of whoever looks at it last. */
  function takeSize(): void {
    own = fitting()
    if (host.clientWidth > 0 && (own.columns !== screen.cols || own.rows !== screen.rows)) view.resize(own)
  }

  function retheme(): void {
    screen.options.theme = themeOf(host)
  }

  const sizes = new ResizeObserver(takeSize)
  sizes.observe(host)
  const themes = new MutationObserver(retheme)
  themes.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme', 'class'] })
  const dark = matchMedia('(prefers-color-scheme: dark)')
  dark.addEventListener('change', retheme)
  screen.textarea?.addEventListener('focus', takeSize)
  screen.onData(view.input)
  screen.onSelectionChange(() => listener.onSelection(screen.hasSelection()))

  return {
    selection: () => screen.getSelection(),
    focus: () => screen.focus(),
    end: view.end,
    close() {
      isClosed = true
      sizes.disconnect()
      themes.disconnect()
      dark.removeEventListener('change', retheme)
      view.leave()
      screen.dispose()
    },
  }
}

/** Keys that stay the page's: those that stop a run, and that lead out of the terminal. */
function isForTerminal(event: KeyboardEvent, screen: Terminal): boolean {
  if (event.key === 'F6') return false
  if ((event.ctrlKey || event.metaKey) && event.key === '.') return false
  if (event.ctrlKey && event.shiftKey && event.code === 'KeyC' && event.type === 'keydown' && screen.hasSelection()) {
    event.preventDefault()
    void navigator.clipboard.writeText(screen.getSelection())
    return false
  }
  return true
}
