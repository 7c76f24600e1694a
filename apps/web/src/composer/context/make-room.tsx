import { type RefObject, useEffect, useRef } from 'react'
import { Icon } from '../../shared/icons.tsx'
import { type PlainKey, say } from '../../shared/language/say.ts'
import { openModels } from './open-models.ts'
import type { Remedies } from './remedies.ts'

interface MakeRoomProps {
  readonly remedies: Remedies
  /** Opens and closes by the keys of the field, too. */
  readonly menu: RefObject<HTMLDetailsElement | null>
  /** Sends it all the same: what is oldest is left out. */
  readonly onSend: () => void
}

/** Stands in the place of Send while the window is over its end: the four ways on. [UI14] */
export function MakeRoom({ remedies, menu, onSend }: MakeRoomProps) {
  const head = useRef<HTMLElement>(null)
  useEffect(() => {
    function onOutside(event: PointerEvent): void {
      const details = menu.current
      if (details && event.target instanceof Node && !details.contains(event.target)) details.open = false
    }
    addEventListener('pointerdown', onOutside)
    return () => removeEventListener('pointerdown', onOutside)
  }, [menu])

  function choose(act: () => void): void {
    if (menu.current) menu.current.open = false
    act()
  }

  return (
    <details
      ref={menu}
      className="make-room"
      data-testid="make-room"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || !menu.current?.open) return
        event.preventDefault()
        event.stopPropagation()
        menu.current.open = false
        head.current?.focus()
      }}
    >
      <summary ref={head} className="button primary">
        <Icon name="up" />
        {say('context.make-room')}
      </summary>
      <ul>
        <Remedy name="context.summarise" says="context.summarise-says" onChoose={() => choose(remedies.summarise)} />
        <Remedy
          name="context.fewer-tools"
          says="context.fewer-tools-says"
          onChoose={() => choose(remedies.chooseTools)}
        />
        <Remedy name="context.larger-window" says="context.larger-window-says" onChoose={() => choose(openModels)} />
        <Remedy
          name="context.send-without-oldest"
          says="context.send-without-oldest-says"
          onChoose={() => choose(onSend)}
        />
      </ul>
    </details>
  )
}

interface RemedyProps {
  readonly name: PlainKey
  readonly says: PlainKey
  readonly onChoose: () => void
}

function Remedy({ name, says, onChoose }: RemedyProps) {
  return (
    <li>
      <button type="button" onClick={onChoose}>
        <span>{say(name)}</span>
        <span className="meta">{say(says)}</span>
      </button>
    </li>
  )
}
