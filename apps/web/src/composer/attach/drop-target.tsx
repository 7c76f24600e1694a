import { useEffect, useState } from 'react'
import { Icon } from '../../shared/icons.tsx'
import { say } from '../../shared/language/say.ts'

/** What takes files of its own: a dialog, and a field for them. */
const OTHERS = 'dialog, input[type=file]'

/** Files that are dropped on the page are attached. While they are dragged over it, the conversation says so. */
export function DropTarget({ onFiles }: { readonly onFiles: (files: readonly File[]) => void }) {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    function holdsFiles(event: DragEvent): boolean {
      if (![...(event.dataTransfer?.items ?? [])].some(({ kind }) => kind === 'file')) return false
      return !(event.target instanceof Element && event.target.closest(OTHERS))
    }
    function onOver(event: DragEvent): void {
      if (!holdsFiles(event)) return
      event.preventDefault()
      if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    }
    function onLeave(event: DragEvent): void {
      if (event.relatedTarget === null) setOver(false)
    }
    function onDrop(event: DragEvent): void {
      setOver(false)
      if (!holdsFiles(event)) return
      event.preventDefault()
      onFiles([...(event.dataTransfer?.files ?? [])])
    }
    addEventListener('dragenter', onOver)
    addEventListener('dragover', onOver)
    addEventListener('dragleave', onLeave)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragenter', onOver)
      removeEventListener('dragover', onOver)
      removeEventListener('dragleave', onLeave)
      removeEventListener('drop', onDrop)
    }
  }, [onFiles])
  if (!isOver) return null
  return (
    <div className="drop-target" data-testid="drop-target" aria-hidden="true">
      <p>
        <Icon name="clip" />
        {say('attach.drop-to-attach')}
      </p>
    </div>
  )
}
