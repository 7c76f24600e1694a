import { createElement, Fragment, type ReactNode, useEffect, useRef } from 'react'
import type { english } from '../words/english.ts'
import type { TagsOf, ValuesOf } from './message-values.ts'
import { type MessageKey, messageOf } from './say.ts'
import { useLanguage } from './speech.ts'

type English = typeof english

/** What a message asks for; where it asks for words, an element may be given. */
type Nodes<Key extends MessageKey> = {
  readonly [Name in keyof ValuesOf<English[Key]>]: ValuesOf<English[Key]>[Name] extends string
    ? ReactNode
    : ValuesOf<English[Key]>[Name]
}

interface SaidProps<Key extends MessageKey> {
  readonly of: Key
  readonly values: Nodes<Key>
  /** What is drawn for each tag, around the words inside it. */
  readonly tags: { readonly [Tag in TagsOf<English[Key]>]: (inner: ReactNode) => ReactNode }
}

/** A message with elements in it, in the order that the language wants. [UI8] */
export function Said<Key extends MessageKey>({ of, values, tags }: SaidProps<Key>) {
  const { text, format } = messageOf(of)
  if (!format) return text
  const drawn = Object.fromEntries(
    Object.entries<(inner: ReactNode) => ReactNode>(tags).map(([name, draw]) => [
      name,
      (inner: ReactNode[]) => draw(createElement(Fragment, null, ...inner)),
    ]),
  )
  const parts = format.format<ReactNode>({ ...values, ...drawn })
  return Array.isArray(parts) ? createElement(Fragment, null, ...parts) : parts
}

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
