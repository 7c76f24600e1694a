/** How a picture was made smaller, in pixels. */
export interface Shrinking {
  readonly from: { readonly widthPx: number; readonly heightPx: number }
  readonly to: { readonly widthPx: number; readonly heightPx: number }
}

/** Vendors refuse pictures above about so much: 5 MB in base64. https://platform.claude.com/docs/en/build-with-claude/vision */
const MAX_PICTURE_BYTES = 3_700_000
const MAX_SIDE_PX = 8_000

/** More than this models do not look at: a larger one is fitted into it. */
const FITTED_SIDE_PX = 2_048

const QUALITY = 0.9

/** A picture that vendors would refuse, made smaller. Anything else, and what the browser cannot draw, stays as it is. */
export async function smallerPicture(
  file: File,
): Promise<{ readonly file: File; readonly shrinking: Shrinking | null }> {
  const asItIs = { file, shrinking: null }
  if (!file.type.startsWith('image/') || file.type === 'image/gif' || file.type === 'image/svg+xml') return asItIs
  const picture = await createImageBitmap(file).catch(notDrawn)
  if (picture === null) return asItIs
  const { width: widthPx, height: heightPx } = picture
  try {
    const isKnown = file.type === 'image/png' || file.type === 'image/jpeg' || file.type === 'image/webp'
    if (isKnown && file.size <= MAX_PICTURE_BYTES && Math.max(widthPx, heightPx) <= MAX_SIDE_PX) return asItIs
    const scale = Math.min(1, FITTED_SIDE_PX / Math.max(widthPx, heightPx))
    const to = { widthPx: Math.round(widthPx * scale), heightPx: Math.round(heightPx * scale) }
    const canvas = new OffscreenCanvas(to.widthPx, to.heightPx)
    canvas.getContext('2d')?.drawImage(picture, 0, 0, to.widthPx, to.heightPx)
    const bytes = await canvas.convertToBlob({ type: 'image/jpeg', quality: QUALITY })
    const name = file.name.replace(/\.\w+$/, '')
    return {
      file: new File([bytes], `${name}.jpg`, { type: 'image/jpeg' }),
      shrinking: { from: { widthPx, heightPx }, to },
    }
  } finally {
    picture.close()
  }
}

/** A format that the browser does not know, or a broken picture: the server says what becomes of it. */
function notDrawn(error: unknown): null {
  if (!(error instanceof DOMException)) throw error
  return null
}
