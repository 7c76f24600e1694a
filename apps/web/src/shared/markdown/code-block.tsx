import type { ElementContent, Root } from 'hast'
import { memo, type ReactNode, Suspense, useEffect, useState } from 'react'
import { CopyButton } from '../copy-button.tsx'
import { say } from '../language/say.ts'
import { later } from '../later.tsx'

/** Longer code than this stays without colours, in UTF-16 code units. */
const HIGHLIGHT_LENGTH = 20_000

/** Lines of one part. A part that is full is not rendered again when the code grows. */
const PART_LINES = 50

/** How long the code must rest before it gets its colours, in milliseconds. */
const REST_MS = 250

const OpenPage = later(async () => (await import('../generated/open-page.tsx')).OpenPage)

/** A block of code: exact text, a button to copy it, and colours where the language is one of a few. */
export function CodeBlock({ code, language }: { readonly code: string; readonly language: string | null }) {
  const colours = useColours(code, language)
  return (
    <div className="code-block" dir="ltr">
      <div className="code-head">
        <span>{language ?? say('markdown.text')}</span>
        {language === 'html' && (
          <Suspense>
            <OpenPage html={code} />
          </Suspense>
        )}
        <CopyButton text={() => code} label={say('markdown.copy-code')} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroller must be reached by the keyboard */}
      <pre tabIndex={0}>
        <code>{colours ? hastViews(colours.children) : <CodeParts code={code} />}</code>
      </pre>
    </div>
  )
}

function CodeParts({ code }: { readonly code: string }) {
  return partsOf(code).map(({ at, text }) => <CodePart key={at} text={text} />)
}

const CodePart = memo(function CodePart({ text }: { readonly text: string }) {
  const lines = text.replace(/\n$/, '').split('\n').length
  return (
    <span className="code-part" style={{ containIntrinsicBlockSize: `auto ${lines}lh` }}>
      {text}
    </span>
  )
})

function partsOf(code: string): readonly { readonly at: number; readonly text: string }[] {
  const parts: { at: number; text: string }[] = []
  let start = 0
  let lines = 0
  for (let at = code.indexOf('\n'); at >= 0; at = code.indexOf('\n', at + 1)) {
    lines += 1
    if (lines % PART_LINES !== 0) continue
    parts.push({ at: start, text: code.slice(start, at + 1) })
    start = at + 1
  }
  parts.push({ at: start, text: code.slice(start) })
  return parts
}

/** The code with its colours, once it rests; null before, and where the language is not known. */
function useColours(code: string, language: string | null): Root | null {
  const [coloured, setColoured] = useState<{ readonly code: string; readonly root: Root } | null>(null)
  useEffect(() => {
    if (language === null || code.length > HIGHLIGHT_LENGTH) return
    let isCurrent = true
    const timer = setTimeout(() => {
      void import('./highlight.ts').then(({ highlight }) => {
        const root = highlight(code, language)
        if (isCurrent && root) setColoured({ code, root })
      })
    }, REST_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [code, language])
  return coloured?.code === code ? coloured.root : null
}

function hastViews(nodes: readonly (ElementContent | Root['children'][number])[]): ReactNode {
  return nodes.map((node, index) => {
    if (node.type === 'text') return node.value
    if (node.type !== 'element') return null
    const { className } = node.properties
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: the tokens of settled code are never moved
      <span key={index} className={Array.isArray(className) ? className.join(' ') : undefined}>
        {hastViews(node.children)}
      </span>
    )
  })
}
