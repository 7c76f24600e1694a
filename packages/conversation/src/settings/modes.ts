import type { ConversationSettings } from '../entries/conversation-entries.ts'

type ModeOf<Key extends keyof ConversationSettings> = NonNullable<ConversationSettings[Key]>

/** How the tools of a conversation are chosen: what it says, else all of them in one order. [TOOL10, WIN11] */
export function toolModeOf({ toolMode }: Pick<ConversationSettings, 'toolMode'>): ModeOf<'toolMode'> {
  return toolMode ?? 'cached'
}

/** What of a conversation's requests is marked for the cache: what it says, else all that can be. [CACHE2, WIN11] */
export function cacheModeOf({ cacheMode }: Pick<ConversationSettings, 'cacheMode'>): ModeOf<'cacheMode'> {
  return cacheMode ?? 'cached'
}

/** What the tools of a conversation may do without asking: what it says, else what the operator says. [PERM1, WIN11] */
export function permissionModeOf(
  { permissionMode }: Pick<ConversationSettings, 'permissionMode'>,
  operator: { readonly mode: ModeOf<'permissionMode'> },
): ModeOf<'permissionMode'> {
  return permissionMode ?? operator.mode
}
