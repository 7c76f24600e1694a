import { navigate, pathOf } from '../shared/address.ts'
import { say } from '../shared/language/say.ts'

/** Leads to the conversation of a run. */
export function RunLink({
  conversationId,
  className,
}: {
  readonly conversationId: string
  readonly className?: string
}) {
  const place = { type: 'conversation', conversationId } as const
  return (
    <a
      className={className}
      href={pathOf(place)}
      onClick={(event) => {
        if (event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        navigate(place, 'push')
      }}
    >
      {say('schedules.open-run')}
    </a>
  )
}
