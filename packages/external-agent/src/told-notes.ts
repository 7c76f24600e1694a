/** What an agent is told of its canvas, of memories and of schedules, as the request says it. [AGENT44] */
const NOTE = /^<note kind="(canvas|memories|schedules)">\n/

const MARK = 'note:'

/** The key of words that are a note; null for what somebody said. */
export function noteKey(text: string): string | null {
  const kind = NOTE.exec(text)?.[1]
  return kind === undefined ? null : `${MARK}${kind}:${text}`
}

/** Whether a key is of a note. They come anew and older ones are left out: they are no part of what was said. */
export function isNote({ key }: { readonly key: string }): boolean {
  return key.startsWith(MARK)
}

/** The newest note of each kind among items, where it is not the one that was told last. */
export function untoldNotes<Item extends { readonly key: string }>(
  told: readonly string[],
  items: readonly Item[],
): readonly Item[] {
  const last = new Map(told.filter((key) => isNote({ key })).map((key) => [kindOf(key), key]))
  const newest = new Map(items.filter(isNote).map((item) => [kindOf(item.key), item]))
  return [...newest].flatMap(([kind, item]) => (last.get(kind) === item.key ? [] : [item]))
}

function kindOf(key: string): string {
  return key.split(':')[1] ?? ''
}
