/** Puts words where the caret of the message field stands, in the place of what is chosen there, as typing does; nothing is sent. [VOICE7] */
export function writeHeard(words: string): void {
  const field = document.querySelector<HTMLTextAreaElement>('textarea#composer-input')
  if (field === null) return
  const { value, selectionStart, selectionEnd } = field
  const before = value.slice(0, selectionStart)
  const after = value.slice(selectionEnd)
  const text = `${/\S$/.test(before) ? ' ' : ''}${words}${/^\S/.test(after) ? ' ' : ''}`
  field.setRangeText(text, selectionStart, selectionEnd, 'end')
  field.dispatchEvent(new InputEvent('input', { bubbles: true, inputType: 'insertText', data: text }))
}
