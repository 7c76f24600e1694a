import { useId, useState } from 'react'
import { say } from '../language/say.ts'
import type { PictureWish } from './agent-form.ts'
import { PictureOr } from './agent-mark.tsx'
import { squarePicture } from './square-picture.ts'

interface PictureFieldProps {
  readonly wish: PictureWish
  /** Where the picture is that the agent has; null where it has none. */
  readonly address: string | null
  /** What stands for the agent without a picture. */
  readonly letters: string
  readonly onWish: (wish: PictureWish) => void
}

/** The picture of an agent: chosen from a file, cut to a square here, or taken off. */
export function PictureField({ wish, address, letters, onWish }: PictureFieldProps) {
  const id = useId()
  const [problem, setProblem] = useState<string | null>(null)
  const shown = shownAddress(wish, address)

  async function take(file: File): Promise<void> {
    const base64 = await squarePicture(file)
    setProblem(base64 === null ? say('agents.no-picture-that-can-be-read', { name: file.name }) : null)
    if (base64 !== null) onWish({ type: 'new', base64 })
  }

  return (
    <div className="agent-field">
      <span className="agent-field-name">{say('agents.picture')}</span>
      <div className="picture-field">
        <span className="agent-mark large" data-testid="picture-shown" aria-hidden="true">
          <PictureOr address={shown}>{letters}</PictureOr>
        </span>
        <label className="button small file-button">
          {say('agents.choose-a-picture')}
          <input
            type="file"
            className="visually-hidden"
            accept="image/*"
            aria-describedby={`${id}-why`}
            onChange={({ target }) => {
              const [file] = target.files ?? []
              if (file) void take(file)
              target.value = ''
            }}
          />
        </label>
        {shown !== null && (
          <button type="button" className="link-button" onClick={() => onWish({ type: 'none' })}>
            {say('agents.take-the-picture-off')}
          </button>
        )}
      </div>
      <p className="meta" id={`${id}-why`}>
        {say('agents.picture-is-cut-here')}
      </p>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  )
}

function shownAddress(wish: PictureWish, address: string | null): string | null {
  switch (wish.type) {
    case 'same':
      return address
    case 'none':
      return null
    case 'new':
      return `data:image/png;base64,${wish.base64}`
  }
}
