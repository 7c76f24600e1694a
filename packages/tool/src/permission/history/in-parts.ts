import type { InParts } from '@holdfast/conversation'

/** The items that are to be kept; each is a part. */
export function* filterInParts<Item>(items: readonly Item[], isKept: (item: Item) => boolean): InParts<Item[]> {
  const kept: Item[] = []
  for (const item of items) {
    yield
    if (isKept(item)) kept.push(item)
  }
  return kept
}

/** Whether one of the items is such; each is a part. */
export function* someInParts<Item>(items: readonly Item[], isSuch: (item: Item) => boolean): InParts<boolean> {
  for (const item of items) {
    yield
    if (isSuch(item)) return true
  }
  return false
}
