import { AGENT_LIMITS } from '@holdfast/protocol'
import { useId, useState } from 'react'
import { say } from '../shared/language/say.ts'
import type { PictureChange } from './agent-form.ts'
import { PictureOr } from './agent-mark.tsx'

interface PictureFieldProps {
  readonly wish: PictureChange
  /** Where the picture is that the agent has; null where it has none. */
  readonly address: string | null
  /** What stands for the agent without a picture. */
  readonly letters: string
  readonly onWish: (wish: PictureChange) => void
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

function shownAddress(wish: PictureChange, address: string | null): string | null {
  switch (wish.type) {
    case 'same':
      return address
    case 'none':
      return null
    case 'new':
      return `data:image/png;base64,${wish.base64}`
  }
}

/** The sides that are tried, in pixels, until the file is small enough. */
const SIDES_PX = [256, 192, 128] as const

/**
 * The middle of a picture as a small square PNG, in base64: its pixels alone, without the place, the time and the camera
 * that a file may name. Null for what this browser cannot draw.
 */
async function squarePicture(file: Blob): Promise<string | null> {
  const bitmap = await drawn(file)
  if (bitmap === null) return null
  try {
    for (const sidePx of SIDES_PX) {
      const png = pngOf(bitmap, sidePx)
      if (png !== null && (png.length * 3) / 4 <= AGENT_LIMITS.pictureBytes) return png
    }
    return null
  } finally {
    bitmap.close()
  }
}

async function drawn(file: Blob): Promise<ImageBitmap | null> {
  try {
    return await createImageBitmap(file)
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    return null
  }
}

function pngOf(bitmap: ImageBitmap, sidePx: number): string | null {
  const canvas = document.createElement('canvas')
  canvas.width = sidePx
  canvas.height = sidePx
  const context = canvas.getContext('2d')
  if (!context) return null
  const { width, height } = bitmap
  const side = Math.min(width, height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, (width - side) / 2, (height - side) / 2, side, side, 0, 0, sidePx, sidePx)
  const [, base64 = ''] = canvas.toDataURL('image/png').split(',')
  return base64 === '' ? null : base64
}
