import { type RefObject, useLayoutEffect } from 'react'

/**
 * Where something goes that has the focus, such as a card that was answered, the focus goes on to the field for the next
 * message, or with fingers, which would open a keyboard by it, to the thread: it never falls to the page. [UI30]
 */
export function useFocusGoesOn(going: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const element = going.current
    return () => {
      if (element?.contains(document.activeElement)) goOn()
    }
  }, [going])
}

function goOn(): void {
  const selector = matchMedia('(pointer: fine)').matches ? '#composer-input' : '[role="log"]'
  document.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true })
}
