import type { ToolContext } from '@holdfast/tool'

/** A memory as an agent is shown it. */
export interface ShelfMemory {
  readonly memoryId: string
  /** One line. */
  readonly text: string
}

/** What became of a wish about memories; a refusal says why, and what to do instead. */
export type ShelfAnswer<Value> =
  | { readonly type: 'done'; readonly value: Value }
  | { readonly type: 'refused'; readonly text: string }

/** The call that asks for a change, and to which the change is reported once it was made. */
export type ShelfCall = Pick<ToolContext, 'report'>

/**
 * The memories that one conversation's agent may use: those of its user that are for every agent or for this one. An
 * implementer shows and touches no other, refuses everything while memories are off, and writes down before it
 * answers. [SEC1, AGENT4]
 */
export interface MemoryShelf {
  /** @param wish - `replaces`: the memory whose place it takes; null for none. */
  save(
    wish: { readonly text: string; readonly replaces: string | null },
    call: ShelfCall,
  ): Promise<ShelfAnswer<{ readonly memory: ShelfMemory; readonly isNew: boolean }>>
  /** The best first. */
  search(query: string): Promise<ShelfAnswer<readonly ShelfMemory[]>>
  /** Oldest first. */
  list(): Promise<ShelfAnswer<readonly ShelfMemory[]>>
  delete(memoryId: string, call: ShelfCall): Promise<ShelfAnswer<ShelfMemory>>
}
