import { isObject } from '../shared/is-object.ts'

/** What a person should look at by itself: an agent's own call that changes something beside its work. */
export type BesideWork = 'outside' | 'of-git'

/**
 * Whether an own call of an agent that is a program leads out of its folder, or into what belongs to git there. Its paths are
 * told by where they lead: from the folder, or whole. [AGENT76]
 */
export function besideWork({ tool, input }: { readonly tool: string; readonly input: unknown }): BesideWork | null {
  if (!OWN_CHANGE.has(tool) || !isObject(input)) return null
  const { path, paths } = input
  const all = [path, ...(Array.isArray(paths) ? paths : [])].filter((one) => typeof one === 'string')
  if (all.some((one) => one.startsWith('/'))) return 'outside'
  return all.some((one) => /(?:^|\/)\.git(?:\/|$)/i.test(one)) ? 'of-git' : null
}

const OWN_CHANGE: ReadonlySet<string> = new Set(['agent_edit', 'agent_delete', 'agent_move'])
