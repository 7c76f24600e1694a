/** The parts of the page, in the order of F6. */
const REGIONS = [
  '[data-region="list"]',
  '[data-region="settings-list"]',
  '[role="log"], .settings-page',
  '[data-region="composer"]',
  '[data-region="dock"]',
] as const

const FOCUSABLE =
  'a[href], button:not([disabled]), input:not([disabled]), select:not([disabled]), textarea:not([disabled]), [tabindex="0"]'

/** Where the focus was in each part when it was left. */
const left = new Map<string, WeakRef<Element>>()

/** Moves the focus to the next or previous part, to where it was there before. */
export function moveToRegion(step: 1 | -1): void {
  const { activeElement } = document
  const there = REGIONS.flatMap((selector) => {
    const region = document.querySelector<HTMLElement>(selector)
    return region ? [{ selector, region }] : []
  })
  const index = there.findIndex(({ region }) => region.contains(activeElement))
  const from = there[index]
  if (from && activeElement) left.set(from.selector, new WeakRef(activeElement))
  const start = index < 0 && step < 0 ? 0 : index
  const to = there[(start + step + there.length) % there.length]
  if (to) focusIn(to.region, left.get(to.selector)?.deref())
}

function focusIn(region: HTMLElement, before: Element | undefined): void {
  if (before instanceof HTMLElement && region.contains(before)) before.focus()
  else if (region.matches(FOCUSABLE)) region.focus()
  else region.querySelector<HTMLElement>(FOCUSABLE)?.focus()
}
