import { AGENT_LIMITS } from '@holdfast/protocol'

/** The sides that are tried, in pixels, until the file is small enough. */
const SIDES_PX = [256, 192, 128] as const

/**
 * The middle of a picture as a small square PNG, in base64: its pixels alone, without the place, the time and the camera
 * that a file may name. Null for what this browser cannot draw.
 */
export async function squarePicture(file: Blob): Promise<string | null> {
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
