import { Fragment, type ReactNode, useEffect, useRef } from 'react'
import { useLanguage } from './speech.ts'

/** Draws what is inside anew when the language changes. What had the focus has it again. */
export function Spoken({ children }: { readonly children: ReactNode }) {
  const language = useLanguage()
  const drawn = useRef(language)
  const focused = useRef('')
  if (drawn.current !== language) focused.current = document.activeElement?.id ?? ''
  useEffect(() => {
    if (drawn.current === language) return
    drawn.current = language
    document.getElementById(focused.current)?.focus({ preventScroll: true })
  }, [language])
  return <Fragment key={language}>{children}</Fragment>
}
