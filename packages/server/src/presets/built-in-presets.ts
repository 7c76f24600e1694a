import type { PresetSettings } from '@holdfast/conversation'

/** A preset that comes along with the program. */
export interface BuiltInPreset {
  readonly id: string
  readonly name: string
  readonly says: string
  readonly settings: PresetSettings
}

/** The tools that a small model is told of: what reads, changes and runs, and nothing besides. */
const FEW_TOOLS = ['list', 'glob', 'search', 'read', 'write', 'edit', 'shell', 'read_result']

const PLAIN_WORDS = `The person you work for need not know how programs are written.
- Say what you do and what they will see, in plain words; name a file or a command only where they need it.
- Work in small steps that can be looked at, and after each say how to look at it.
- Where something could be done in several ways, choose one, say which in a sentence, and go on.
- When something fails, say what that means for them and what you do about it; do not show them the output of tools.`

/** The presets that everybody has. [WS34] */
export const BUILT_IN_PRESETS: readonly BuiltInPreset[] = [
  {
    id: 'code',
    name: 'Code',
    says: 'Work on a project: thinks long where the model can, is told what is where in the repository, edits files in the folder without asking, and asks whether to work in a worktree.',
    settings: { place: 'ask', mapTokens: 2_000, diagnostics: true, thinking: 'high', permissionMode: 'accept-edits' },
  },
  {
    id: 'code-lite',
    name: 'Code, small',
    says: 'For small models and small budgets: does not think, has a short map and eight tools, and is summarised at 24,000 tokens, as fits a window of 32,000.',
    settings: {
      place: 'ask',
      mapTokens: 800,
      diagnostics: true,
      thinking: 'off',
      permissionMode: 'accept-edits',
      toolMode: 'manual',
      includedTools: FEW_TOOLS,
      checkpointMostTokens: 24_000,
      summaryTokens: 1_500,
      toolOutputChars: 12_000,
    },
  },
  {
    id: 'vibe',
    name: 'Vibe',
    says: 'Make something without reading code: speaks plain words, edits files and runs commands in the sandbox without asking. Where there is no sandbox, commands ask.',
    settings: { place: 'in-place', mapTokens: 800, permissionMode: 'sandboxed', instructions: PLAIN_WORDS },
  },
]
