import { markHidden } from '@holdfast/conversation'
import type { PhrasingContent } from 'mdast'
import type { ReactNode } from 'react'
import { say } from '../language/say.ts'
import { hostToSay, isOutside, safeAddress } from './safe-address.ts'
import { TexView } from './tex-view.tsx'

/** Words in a line. */
export function InlineViews({ nodes }: { readonly nodes: readonly PhrasingContent[] }): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a parsed line are never moved
  return nodes.map((node, index) => <InlineView key={index} node={node} />)
}

/** One of them. */
export function InlineView({ node }: { readonly node: PhrasingContent }): ReactNode {
  switch (node.type) {
    case 'text':
      return markOverrides(node.value)
    case 'emphasis':
      return (
        <em>
          <InlineViews nodes={node.children} />
        </em>
      )
    case 'strong':
      return (
        <strong>
          <InlineViews nodes={node.children} />
        </strong>
      )
    case 'delete':
      return (
        <del>
          <InlineViews nodes={node.children} />
        </del>
      )
    case 'inlineCode':
      return <code>{node.value}</code>
    case 'inlineMath':
      return <TexView tex={node.value} isBlock={false} />
    case 'break':
      return <br />
    case 'link':
      return (
        <LinkView url={node.url} words={wordsOf(node.children)}>
          <InlineViews nodes={node.children} />
        </LinkView>
      )
    case 'image':
      return (
        <LinkView url={node.url} words={node.alt ?? ''}>
          <span className="picture-link">
            {say('markdown.picture', {
              name: node.alt === '' || !node.alt ? say('markdown.without-a-name') : node.alt,
            })}
          </span>
        </LinkView>
      )
    case 'linkReference':
      return <InlineViews nodes={node.children} />
    case 'imageReference':
      return node.alt ?? node.identifier
    case 'footnoteReference':
      return <sup>{node.label ?? node.identifier}</sup>
    case 'html':
      return node.value
  }
}

/** An address of the model's: nothing is loaded from it before a click, and it cannot reach back. [SEC3] */
function LinkView(props: { readonly url: string; readonly words: string; readonly children: ReactNode }) {
  const { url, words, children } = props
  const address = safeAddress(url)
  if (!address || !isOutside(address)) return <span title={url}>{children}</span>
  const host = hostToSay(address, words)
  return (
    <>
      <a href={address.href} target="_blank" rel="noopener noreferrer nofollow" title={address.host || address.href}>
        {children}
      </a>
      {host !== null && <span className="link-host"> ({host})</span>}
    </>
  )
}

function wordsOf(nodes: readonly PhrasingContent[]): string {
  return nodes.map((node) => ('children' in node ? wordsOf(node.children) : 'value' in node ? node.value : '')).join('')
}

/** What turns all that follows around is shown as a mark; what scripts of both directions need stays. [UI31] */
function markOverrides(text: string): string {
  return text.replace(/[\u202d\u202e]/g, markHidden)
}
