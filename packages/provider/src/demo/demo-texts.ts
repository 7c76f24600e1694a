/** Paragraphs that differ, with a heading, a code block and a table now and then. */
export function longReply(paragraphs: number): string {
  const parts: string[] = []
  for (let number = 1; number <= paragraphs; number++) {
    if (number % 8 === 1) parts.push(`## Part ${Math.ceil(number / 8)}\n\n`)
    parts.push(paragraph(number))
    if (number % 8 === 4) parts.push('```ts\nconst kept = log.filter((entry) => entry.seq <= cursor)\n```\n\n')
    if (number % 8 === 6) parts.push('| what | count |\n| --- | ---: |\n| entries | 128 |\n| lost | 0 |\n\n')
  }
  return parts.join('')
}

/** One paragraph; those of different numbers differ. */
export function paragraph(number: number): string {
  const sentences = [
    'A holdfast is what anchors kelp to the rock.',
    'The blade moves with every wave, and the plant stays where it is.',
    'What has been written to the log stays there, whatever happens to the page.',
    'Close the tab, open it again: the same words stand in the same place.',
    'Press Stop and the reply ends at what you see.',
    'The server may be killed in the middle of this sentence.',
    'Nothing that was acknowledged is lost.',
  ]
  const first = number % sentences.length
  const order = [...sentences.slice(first), ...sentences.slice(0, first)]
  return `Paragraph ${number}. ${order.slice(0, 4).join(' ')}\n\n`
}

/** What is hard to draw, and what must not run. */
export function markdownTorture(): string {
  return [
    '# Heading\n\n## Second\n\n',
    'Some *emphasis*, **strong**, `code`, ~~struck~~ and a [link](https://example.org/).\n\n',
    '1. one\n2. two\n   - nested\n   - list\n\n',
    '> a quote\n> of two lines\n\n',
    '```json\n{ "key": "value", "list": [1, 2, 3] }\n```\n\n',
    '| left | right |\n| :--- | ---: |\n| a | 1 |\n| b | 22 |\n\n',
    '<script>alert(1)</script> <img src=x onerror=alert(1)>\n\n',
    'An unfinished **strong and `code that never closes',
  ].join('')
}
