import type { RootContent } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { mathFromMarkdown } from 'mdast-util-math'
import { gfm } from 'micromark-extension-gfm'
import { math } from 'micromark-extension-math'

/** One node of the parsed text; math is among them. */
export type MarkdownNode = RootContent

/** A single dollar is money more often than mathematics. */
const MATH = { singleDollarTextMath: false }

const extensions = [gfm({ singleTilde: false }), math(MATH)]
const mdastExtensions = [gfmFromMarkdown(), mathFromMarkdown()]

/** The blocks of a piece of Markdown. HTML in it stays text: nothing here runs or loads anything. [SEC3] */
export function parseMarkdown(source: string): readonly MarkdownNode[] {
  return fromMarkdown(source, { extensions, mdastExtensions }).children
}
