import type { CanvasElement } from '@holdfast/conversation'
import { type KeyboardEvent, memo, useId, useRef, useState } from 'react'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'
import type { CanvasActs } from './canvas-acts.ts'
import { ElementBody } from './element-body.tsx'
import { ElementMenu } from './element-menu.tsx'

interface ElementViewProps {
  readonly element: CanvasElement
  readonly acts: CanvasActs
  /** Changed since the canvas was opened, by the agent. */
  readonly isUpdated: boolean
  /** Hangs before the summary that stands for its place in the request: the model is told of it all the same. */
  readonly isBeforeSummary: boolean
  readonly onSaid: (words: string) => void
}

/** One element in its frame. What has not changed is not drawn again. */
export const ElementView = memo(function ElementView(props: ElementViewProps) {
  const { element, acts, isUpdated, isBeforeSummary, onSaid } = props
  const id = useId()
  const svg = useRef<SVGSVGElement>(null)
  const full = useRef<HTMLDialogElement>(null)
  const [isFull, setFull] = useState(false)
  const [asTable, setAsTable] = useState(false)
  const [isSource, setSource] = useState(false)
  const waits = 'answer' in element && element.answer === null

  async function act(action: 'pin' | 'remove', value?: boolean): Promise<void> {
    const problem = await acts.act({ elementId: element.id, action, ...(value === undefined ? {} : { value }) })
    if (problem !== null) onSaid(problem)
  }

  function openFull(): void {
    setFull(true)
    full.current?.showModal()
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    if (event.target !== event.currentTarget || event.metaKey || event.ctrlKey || event.altKey) return
    const isDone = onElementKey(event, { openFull, remove: () => void act('remove') })
    if (isDone) event.preventDefault()
  }

  const body = isSource ? (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard
    <pre className="element-source" dir="ltr" tabIndex={0}>
      {JSON.stringify(element, null, 2)}
    </pre>
  ) : (
    <ElementBody element={element} acts={acts} svg={svg} isFull={isFull} asTable={asTable} />
  )
  return (
    <article
      className="element"
      data-testid="canvas-el"
      data-type={element.type}
      data-id={element.id}
      data-state={waits ? 'waiting' : 'shown'}
      aria-labelledby={id}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: elements are reached one by one, and Enter, Delete and F act on them
      tabIndex={0}
      onKeyDown={onKeyDown}
    >
      <header>
        <h3 id={id} dir="auto">
          {element.title ?? say('canvas.text')}
        </h3>
        <span className="element-word">{wordOf(element, { isUpdated, waits })}</span>
        {element.type === 'chart' && !isSource && (
          <button type="button" className="link-button" aria-pressed={asTable} onClick={() => setAsTable(!asTable)}>
            {asTable ? say('canvas.view-as-chart') : say('canvas.view-as-table')}
          </button>
        )}
        {isSource && (
          <button type="button" className="link-button" onClick={() => setSource(false)}>
            {say('canvas.close-source')}
          </button>
        )}
        <ElementMenu
          element={element}
          svg={svg}
          isOnline={acts.isOnline}
          onPin={() => void act('pin', !element.pinned)}
          onFull={openFull}
          onAsk={() => acts.ask(element.id)}
          onSource={() => setSource(true)}
          onRemove={() => void act('remove')}
          onSaid={onSaid}
        />
      </header>
      {!isFull && body}
      {isBeforeSummary && <p className="meta">{say('canvas.added-before-the-summary-the')}</p>}
      <dialog
        ref={full}
        className="full"
        aria-label={element.title ?? say('canvas.text')}
        onClose={() => setFull(false)}
      >
        {isFull && (
          <>
            <header>
              <h3 dir="auto">{element.title ?? say('canvas.text')}</h3>
              <button
                type="button"
                className="icon-button"
                aria-label={say('canvas.close-full-screen')}
                onClick={() => full.current?.close()}
              >
                <Icon name="close" />
              </button>
            </header>
            <div className="full-body">{body}</div>
          </>
        )}
      </dialog>
    </article>
  )
})

/** The short word beside the title. */
function wordOf(
  element: CanvasElement,
  { isUpdated, waits }: { readonly isUpdated: boolean; readonly waits: boolean },
): string {
  if (waits) return say('canvas.waiting-for-you')
  const words = [
    element.type === 'checklist'
      ? say('canvas.ticked-of', {
          ticked: element.items.filter(({ checked }) => checked).length,
          all: element.items.length,
        })
      : '',
    element.type === 'table' ? say('canvas.rows', { count: element.rows.length }) : '',
    element.pinned ? say('inspector.pinned') : '',
    isUpdated ? say('canvas.updated') : '',
  ]
  return words.filter((word) => word !== '').join(' · ')
}

/** What Enter goes to: of several, the first that stands in the element. */
const PRIMARY = '.primary, input, select, textarea, th button, [tabindex="0"]:not(.column-handle), a.button'

/** @returns whether the key meant something. */
function onElementKey(
  event: KeyboardEvent<HTMLElement>,
  acts: { readonly openFull: () => void; readonly remove: () => void },
): boolean {
  const element = event.currentTarget
  switch (event.key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return focusBeside(element, 1)
    case 'ArrowUp':
    case 'ArrowLeft':
      return focusBeside(element, -1)
    case 'f':
      acts.openFull()
      return true
    case 'Delete':
      acts.remove()
      return true
    case 'Enter': {
      const primary = element.querySelector<HTMLElement>(PRIMARY)
      primary?.focus()
      return primary !== null
    }
    default:
      return false
  }
}

function focusBeside(element: HTMLElement, step: 1 | -1): boolean {
  const all = [...(element.parentElement?.querySelectorAll<HTMLElement>(':scope > .element') ?? [])]
  const beside = all[all.indexOf(element) + step]
  beside?.focus()
  return beside !== undefined
}
