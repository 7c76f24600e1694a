import { type MouseEvent, type ReactNode, useId, useRef } from 'react'
import { Icon } from '../shared/icons.tsx'
import { say } from '../shared/language/say.ts'

/** The acts of the bar behind one button, where the title needs the room. [UI18] */
export function HeaderMenu({ children }: { readonly children: ReactNode }) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)

  /** What opens a menu of its own stays open with it. */
  function onClick(event: MouseEvent): void {
    const { target } = event
    if (target instanceof Element && target.closest('.header-menu > .icon-button:not([popovertarget])'))
      menu.current?.hidePopover()
  }

  return (
    <>
      <button type="button" className="icon-button more-button" aria-label={say('header.more')} popoverTarget={id}>
        <Icon name="more" />
      </button>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the buttons in here act; one that has acted closes the menu */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a key that presses a button clicks it */}
      <div ref={menu} id={id} popover="auto" className="header-menu" onClick={onClick}>
        {children}
      </div>
    </>
  )
}
