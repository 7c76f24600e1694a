import type { KeyboardEvent } from 'react'

const MESSAGE = '[data-testid="msg-user"], [data-testid="msg-assistant"]'

/** Keys that press a button of the message that has the focus. They act there only. */
const BUTTONS: Readonly<Record<string, string>> = {
  c: '.quiet-acts .copy-button',
  e: '[data-key="e"]',
  r: '[data-key="r"]',
  b: '[data-key="b"]',
  '[': '[data-key="["]',
  ']': '[data-key="]"]',
}

/** Moves from message to message, and acts on the one that has the focus. */
export function onThreadKey(event: KeyboardEvent<HTMLElement>): void {
  const { target, currentTarget: thread, key } = event
  if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement)) return
  const isMessage = target.matches(MESSAGE)
  if (!isMessage && target !== thread) return
  const step = key === 'j' ? 1 : key === 'k' ? -1 : 0
  if (step !== 0) {
    event.preventDefault()
    const messages = [...thread.querySelectorAll<HTMLElement>(MESSAGE)]
    const index = isMessage ? messages.indexOf(target) + step : step > 0 ? firstInView(messages) : messages.length - 1
    messages[index]?.focus()
    return
  }
  const selector = isMessage ? BUTTONS[key] : undefined
  if (selector === undefined) return
  const button = target.querySelector<HTMLElement>(selector)
  if (!button) return
  event.preventDefault()
  button.click()
}

function firstInView(messages: readonly HTMLElement[]): number {
  const index = messages.findIndex((message) => message.getBoundingClientRect().bottom > 60)
  return index < 0 ? 0 : index
}
