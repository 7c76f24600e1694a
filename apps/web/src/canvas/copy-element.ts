import type { CanvasElement } from '@holdfast/conversation'
import { plainContent, tableOfChart } from './element-body.tsx'
import { toTabs } from './sort-rows.ts'

/** What goes on the clipboard: a table as spreadsheets take it, all else as text. */
export function clipboardText(element: CanvasElement): string {
  if (element.type === 'table') return toTabs([element.columns.map(({ name }) => name), ...element.rows])
  if (element.type === 'chart') {
    const { columns, rows } = tableOfChart(element)
    return toTabs([columns.map(({ name }) => name), ...rows])
  }
  return plainContent(element)
    .filter((part) => part !== '')
    .join('\n')
}

/** Twice the size that it is shown in, so that it is sharp on paper. */
const IMAGE_SCALE = 2
/** What the page's styles decide about the look of a drawing; in SVG each is an attribute too, which the policy lets be. */
const LOOKS = [
  ...['fill', 'stroke', 'stroke-width', 'stroke-dasharray', 'opacity'],
  ...['font-family', 'font-size', 'font-weight'],
] as const

/** Puts a drawing on the clipboard as a PNG, as it is shown. @throws {DOMException} where that is not allowed. */
export async function copyImage(svg: SVGSVGElement): Promise<void> {
  const blob = drawn(svg)
  await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })])
}

/** The drawing as a PNG. */
async function drawn(svg: SVGSVGElement): Promise<Blob> {
  const { width, height } = svg.getBoundingClientRect()
  const image = new Image()
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(standalone(svg, { width, height }))}`
  await image.decode()
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(width * IMAGE_SCALE)
  canvas.height = Math.round(height * IMAGE_SCALE)
  const context = canvas.getContext('2d')
  if (!context) throw new DOMException('This browser gives no canvas to draw on', 'NotSupportedError')
  context.fillStyle = getComputedStyle(svg.closest('article') ?? document.body).backgroundColor
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.drawImage(image, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
  if (blob === null) throw new DOMException('The drawing could not be made into a picture', 'EncodingError')
  return blob
}

/** A copy that carries its looks with it. */
function standalone(
  svg: SVGSVGElement,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const copy = svg.cloneNode(true)
  if (!(copy instanceof SVGSVGElement)) return ''
  const originals = svg.querySelectorAll('*')
  copy.querySelectorAll('*').forEach((element, index) => {
    const original = originals[index]
    if (!original) return
    const computed = getComputedStyle(original)
    for (const name of LOOKS) {
      const value = computed.getPropertyValue(name)
      if (value !== '') element.setAttribute(name, value)
    }
    element.removeAttribute('style')
  })
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  copy.setAttribute('width', String(width))
  copy.setAttribute('height', String(height))
  return new XMLSerializer().serializeToString(copy)
}
