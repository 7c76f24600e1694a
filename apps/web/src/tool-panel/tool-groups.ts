import type { McpServerRow, ToolMode, ToolRow, ToolsAnswer } from '@holdfast/protocol'
import { type PlainKey, say } from '../shared/language/say.ts'

/** The tools of one source: our own, or those of a server. */
export interface ToolGroup {
  /** Null for our own. */
  readonly source: string | null
  /** Null where the source is no server. */
  readonly server: McpServerRow | null
  readonly tools: readonly ToolRow[]
  /** Whether the source is on in this conversation. */
  readonly isOn: boolean
  /** Tokens that its definitions take of a request. */
  readonly sentTokens: number
}

/** Our own tools first, then each server in its order, those without tools too. */
export function toolGroups(
  { tools, excludedSources }: Pick<ToolsAnswer, 'tools' | 'excludedSources'>,
  servers: readonly McpServerRow[],
): readonly ToolGroup[] {
  const bySource = Map.groupBy(tools, ({ source }) => source ?? null)
  const named = [...servers.map(({ name }) => name), ...[...bySource.keys(), ...excludedSources]]
  const sources = new Set([null, ...named.filter((name) => name !== null)])
  return [...sources].map((source) => {
    const own = bySource.get(source) ?? []
    return {
      source,
      server: servers.find(({ name }) => name === source) ?? null,
      tools: own,
      isOn: source === null || !excludedSources.includes(source),
      sentTokens: tokensOf(own.filter(({ included }) => included)),
    }
  })
}

/** What a mode does, in one line. */
export const MODES: readonly { readonly mode: ToolMode; readonly name: PlainKey; readonly says: PlainKey }[] = [
  {
    mode: 'auto',
    name: 'tool-panel.auto',
    says: 'tool-panel.the-model-sees-a-few',
  },
  {
    mode: 'cached',
    name: 'tool-panel.cached',
    says: 'tool-panel.every-tool-in-the-same-order',
  },
  { mode: 'all-on', name: 'tool-panel.all-on', says: 'tool-panel.the-model-sees-every-tool' },
  { mode: 'all-off', name: 'tool-panel.all-off', says: 'tool-panel.the-model-may-call-no' },
  { mode: 'manual', name: 'tool-panel.manual', says: 'tool-panel.the-model-sees-the-tools' },
]

/** Whether a switch leaves what is sent as it is: all tools stay all tools, and a choice begins with what is shown. */
export function sendsTheSame(from: ToolMode, to: ToolMode): boolean {
  const isAll = (mode: ToolMode): boolean => mode === 'cached' || mode === 'all-on'
  return (isAll(from) && isAll(to)) || (to === 'manual' && from !== 'all-off')
}

/** The tools that requests would carry in this mode, had the window room for them. [WIN17] */
export function withoutRoom({ mode, tools }: Pick<ToolsAnswer, 'mode' | 'tools'>): readonly ToolRow[] {
  switch (mode) {
    case 'cached':
    case 'all-on':
      return tools.filter(({ included }) => !included)
    case 'auto':
      return tools.filter(({ included, deferred }) => !included && !deferred)
    case 'manual':
    case 'all-off':
      return []
  }
}

/** The sum of what definitions take. */
export function tokensOf(tools: readonly ToolRow[]): number {
  return tools.reduce((sum, { schemaTokens }) => sum + schemaTokens, 0)
}

/** What a server is doing, in words. */
export function stateWords({ state, lastError }: McpServerRow, now: number): string {
  switch (state.type) {
    case 'off':
      return say('tool-panel.off')
    case 'connecting':
      return state.attempt === 1
        ? say('tool-panel.connecting')
        : say('tool-panel.connecting-again', { attempt: state.attempt })
    case 'connected':
      return say('tool-panel.connected')
    case 'waiting': {
      const seconds = Math.max(1, Math.round((state.until - now) / 1_000))
      return [say('tool-panel.failed', { seconds }), ...(lastError?.text ? [lastError.text] : [])].join(': ')
    }
    case 'needs-sign-in':
      return say('tool-panel.sign-in-needed')
  }
}
