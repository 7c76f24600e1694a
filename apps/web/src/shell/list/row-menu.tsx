import { type KeyboardEvent, type RefObject, useEffect, useId, useRef } from 'react'
import { Icon } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'

/** One thing that can be done with a conversation. */
export interface RowAct {
  readonly name: string
  readonly icon: 'pin' | 'pencil' | 'archive'
  readonly act: () => void
}

interface RowMenuProps {
  readonly title: string
  readonly acts: readonly RowAct[]
  /** What opens it, and has the focus again when it closes. */
  readonly opener: RefObject<HTMLElement | null>
  readonly onClose: () => void
}

/** What can be done with a conversation, over the list: by the arrows, Enter and Esc. */
export function RowMenu({ title, acts, opener, onClose }: RowMenuProps) {
  const menu = useRef<HTMLDivElement>(null)
  const id = useId()

  useEffect(() => {
    const element = menu.current
    const row = opener.current?.getBoundingClientRect()
    if (!element || !row) return
    element.showPopover()
    const below = row.bottom + element.offsetHeight < innerHeight
    element.style.insetBlockStart = [below ? row.bottom : row.top - element.offsetHeight, 'px'].join('')
    element.style.left = [Math.max(8, row.right - element.offsetWidth), 'px'].join('')
    element.querySelector('button')?.focus()
  }, [opener])

  function onKeyDown(event: KeyboardEvent): void {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (event.key === 'Escape' || event.key === 'Tab' || event.key === 'ArrowLeft') {
      event.preventDefault()
      close()
    }
    event.stopPropagation()
    if (step === 0) return
    event.preventDefault()
    const items = [...(menu.current?.querySelectorAll<HTMLElement>('button') ?? [])]
    const at = document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1
    items.at((at + step) % items.length)?.focus()
  }

  function close(): void {
    onClose()
    opener.current?.focus()
  }

  return (
    <div
      ref={menu}
      id={id}
      popover="auto"
      className="row-menu"
      role="menu"
      tabIndex={-1}
      aria-label={say('list.acts-on-title', { title })}
      onKeyDown={onKeyDown}
      onToggle={({ newState }) => {
        if (newState === 'closed') onClose()
      }}
    >
      {acts.map(({ name, icon, act }) => (
        <button
          key={icon}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            close()
            act()
          }}
        >
          <Icon name={icon} />
          {name}
        </button>
      ))}
    </div>
  )
}
