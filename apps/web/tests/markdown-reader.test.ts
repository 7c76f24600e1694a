import { expect, test } from 'vitest'
import { createMarkdownReader, type MarkdownView } from '../src/shared/markdown/markdown-reader.ts'
import { type MarkdownNode, parseMarkdown } from '../src/shared/markdown/parse-markdown.ts'

const PARAGRAPH = 'The blade moves with every wave, and the *plant* stays where it `is`. '

const TEXTS: Readonly<Record<string, string>> = {
  mixed:
    '# One\n\nText with **strong**\nand more\n\n- a\n- b\n  - c\n\n```ts\nconst a = 1\n```\n\n| a | b |\n| - | - |\n| 1 | 2 |\n\nend',
  paragraph: PARAGRAPH.repeat(1_500),
  list: Array.from({ length: 2_500 }, (_, index) => `${index + 1}. item **${index}** of the list\n`).join(''),
  table: `| what | count |\n| --- | ---: |\n${'| entries of the log | 128 |\n'.repeat(3_500)}`,
  code: `\`\`\`ts\n${'const kept = log.filter((entry) => entry.seq <= cursor)\n'.repeat(1_800)}\`\`\`\n`,
  nested: `- top\n${'  - nested item with some words in it\n'.repeat(2_500)}`,
  unbroken: '漢'.repeat(20_000),
}

/** What a reader sees, without where the text was cut. */
function wordsOf({ pieces, rest }: MarkdownView): string {
  return pieces.map(({ node, joins }) => textOf(node, joins)).join('') + rest
}

function textOf(node: MarkdownNode | object, joins: boolean): string {
  if ('children' in node && Array.isArray(node.children)) {
    const isTable = 'type' in node && node.type === 'table'
    return node.children
      .slice(isTable && joins ? 1 : 0)
      .map((child: object) => textOf(child, false))
      .join('')
  }
  return 'value' in node ? String(node.value) : ''
}

function parsedWhole(text: string): string {
  return parseMarkdown(text)
    .map((node) => textOf(node, false))
    .join('')
}

test.each(Object.keys(TEXTS))('[SYNC1] a text that grows reads as it does whole: %s', (name) => {
  const text = TEXTS[name] ?? ''
  const reader = createMarkdownReader()
  for (let length = 0; length < text.length; length += 997) {
    const view = reader.read(text.slice(0, length), false)
    expect(wordsOf(view).length).toBeLessThanOrEqual(length)
  }
  const grown = wordsOf(reader.read(text, true))
  expect(grown).toBe(wordsOf(createMarkdownReader().read(text, true)))
  expect(normal(grown)).toBe(normal(parsedWhole(text)))
})

function normal(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

test.each(['paragraph', 'list', 'table', 'code'])('[SYNC1] of one long %s a fragment changes only the end', (name) => {
  const text = TEXTS[name] ?? ''
  const reader = createMarkdownReader()
  const before = reader.read(text.slice(0, 60_000), false).pieces
  const after = reader.read(text.slice(0, 60_100), false).pieces
  const same = after.filter(({ node }, index) => node === before[index]?.node)
  expect(after.length - same.length).toBeLessThanOrEqual(name === 'code' ? 1 : 3)
  const last = after.at(-1)
  if (name !== 'code') expect(60_100 - (last?.at ?? 0)).toBeLessThan(8_192)
})

test('[SYNC1] the blocks before the last one keep their identity', () => {
  const reader = createMarkdownReader()
  const before = reader.read('one\n\ntwo\n\nthr', false)
  const after = reader.read('one\n\ntwo\n\nthree', false)
  expect(after.pieces.map(({ at }) => at)).toEqual([0, 5, 10])
  expect(after.pieces[0]?.node).toBe(before.pieces[0]?.node)
  expect(after.pieces[1]?.node).toBe(before.pieces[1]?.node)
  expect(after.pieces[2]?.node).not.toBe(before.pieces[2]?.node)
  expect(reader.read('one\n\ntwo\n\nthree', false)).toBe(after)
})

test('[SYNC1] a text that is not the old one with more behind it is read anew', () => {
  const reader = createMarkdownReader()
  reader.read('one\n\ntwo', false)
  expect(wordsOf(reader.read('other\n\nwords', false))).toBe('otherwords')
})

test('[SYNC1] an unclosed code block is code, and closed by a mark that is at least as long', () => {
  const reader = createMarkdownReader()
  const open = reader.read('````md\n```\ninner\n', false)
  expect(open.pieces).toMatchObject([{ node: { type: 'code', lang: 'md', value: '```\ninner\n' } }])
  const closed = reader.read('````md\n```\ninner\n````\nafter', false)
  expect(closed.pieces).toMatchObject([
    { node: { type: 'code', lang: 'md', value: '```\ninner' } },
    { node: { type: 'paragraph' } },
  ])
})

test('[SEC3] HTML in the text stays text', () => {
  const { pieces } = createMarkdownReader().read('<script>alert(1)</script>\n\na <img src=x onerror=alert(1)> b', true)
  expect(pieces.map(({ node }) => textOf(node, false))).toEqual([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
  ])
})
