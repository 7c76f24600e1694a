/** How many lines a text has, as editors count them: the end of the last line begins no other. */
export function lineCount(text: string): number {
  return text.split('\n').length - (text === '' || text.endsWith('\n') ? 1 : 0)
}
