/**
 * Whether `*` in the pattern, standing for any characters, line ends among them, makes it the text.
 * In time proportional to the product of the lengths, whatever the pattern is.
 */
export function globMatches(pattern: string, text: string): boolean {
  const [head = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return text === head
  const tail = rest.pop() ?? ''
  if (text.length < head.length + tail.length || !text.startsWith(head) || !text.endsWith(tail)) return false
  let at = head.length
  const end = text.length - tail.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}
