import type { PhrasingContent } from 'mdast'
import type { ReactNode } from 'react'
import { say } from '../language/say.ts'
import { isOutside, safeAddress } from './safe-address.ts'
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
      return node.value
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
        <LinkView url={node.url}>
          <InlineViews nodes={node.children} />
        </LinkView>
      )
    case 'image':
      return (
        <LinkView url={node.url}>
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
function LinkView({ url, children }: { readonly url: string; readonly children: ReactNode }) {
  const address = safeAddress(url)
  if (!address || !isOutside(address)) return <span title={url}>{children}</span>
  return (
    <a href={address.href} target="_blank" rel="noopener noreferrer nofollow" title={address.host || address.href}>
      {children}
    </a>
  )
}
