import { useEffect, useRef } from 'react'
import { SETTINGS_SECTIONS, type SettingsSection } from '../shared/address.ts'
import { say } from '../shared/language/say.ts'

/** The name of the page, in the bar. It takes the focus when the page is opened. */
export function SettingsHeading({ section }: { readonly section: SettingsSection }) {
  const heading = useRef<HTMLHeadingElement>(null)
  const name = say(SETTINGS_SECTIONS.find((known) => known.section === section)?.name ?? 'common.settings')
  useEffect(() => {
    document.title = say('settings.page-title', { name })
    heading.current?.focus({ preventScroll: true })
  }, [name])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {name}
    </h1>
  )
}
