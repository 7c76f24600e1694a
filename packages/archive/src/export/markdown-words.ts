/** A fence longer than any run of backticks in the text. */
export function fence(text: string): string {
  const longest = (text.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 2)
  const marks = '`'.repeat(longest + 1)
  return `${marks}\n${text}\n${marks}`
}

/** Words in a line of their own making: no line ends, and nothing that Markdown or HTML would read as more than words. */
export function inline(text: string): string {
  return text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>#|]/g, (mark) => `\\${mark}`)
}

/** A text as a quotation: what it opens ends with it. */
export function quotation(text: string): string {
  return text
    .split('\n')
    .map((line) => `> ${line}`)
    .join('\n')
}
