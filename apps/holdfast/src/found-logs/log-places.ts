import { join } from 'node:path'
import { OPENCODE_FOLDER, OPENCODE_LOG } from './opencode-logs.ts'

/** Where another program keeps its conversations. */
export interface LogPlace {
  /** The format of its logs, as the import names it. */
  readonly id: string
  readonly name: string
  readonly folder: string
  /** What a path in the folder looks like that is a conversation; `/` between its parts. */
  readonly isLog: RegExp
  /** Paths of folders in it that are looked into; absent for all. */
  readonly isLookedInto?: RegExp
}

/** The usual places of programs whose logs can be imported, in this person's own home. */
export function usualLogPlaces({
  home,
  variable,
}: {
  readonly home: string
  readonly variable: (name: string) => string | undefined
}): readonly LogPlace[] {
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      folder: join(variable('CLAUDE_CONFIG_DIR') ?? join(home, '.claude'), 'projects'),
      // What sub-agents said stands in the log that asked them.
      isLog: /^[^/]+\/(?!agent-)[^/]+\.jsonl$/,
    },
    {
      id: 'codex',
      name: 'Codex',
      folder: join(variable('CODEX_HOME') ?? join(home, '.codex'), 'sessions'),
      isLog: /(?:^|\/)rollout-[^/]+\.jsonl$/,
    },
    { id: 'pi', name: 'pi', folder: join(home, '.pi', 'agent', 'sessions'), isLog: /\.jsonl$/ },
    { id: 'copilot', name: 'Copilot CLI', folder: join(home, '.copilot', 'session-state'), isLog: /\.jsonl$/ },
    {
      id: 'opencode',
      name: 'opencode',
      folder: join(variable('XDG_DATA_HOME') ?? join(home, '.local', 'share'), 'opencode'),
      isLog: OPENCODE_LOG,
      isLookedInto: OPENCODE_FOLDER,
    },
    { id: 'gemini', name: 'Gemini CLI', folder: join(home, '.gemini', 'tmp'), isLog: /\/chats\/[^/]+\.json$/ },
  ]
}
