import { useEffect, useRef } from 'react'

/** A formula: its source until the typesetting is here. It is typeset as MathML, which needs neither fonts nor styles. */
export function TexView({ tex, isBlock }: { readonly tex: string; readonly isBlock: boolean }) {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    let isCurrent = true
    void import('katex').then(({ default: katex }) => {
      if (!isCurrent || !element.current) return
      katex.render(tex, element.current, {
        output: 'mathml',
        displayMode: isBlock,
        throwOnError: false,
        trust: false,
        maxExpand: 200,
      })
    })
    return () => {
      isCurrent = false
    }
  }, [tex, isBlock])
  return (
    <code key={tex} ref={element} className={isBlock ? 'tex block' : 'tex'}>
      {tex}
    </code>
  )
}
