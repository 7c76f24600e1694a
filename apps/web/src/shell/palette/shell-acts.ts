import type { Client, ConversationStore } from '@holdfast/client'
import { canvasOf, markHidden } from '@holdfast/conversation'
import type { AgentRow, ConversationRow, ModelsAnswer } from '@holdfast/protocol'
import { clearCanvas } from '../../canvas/clear-canvas.ts'
import { beginAnew } from '../../reset/begin-anew.ts'
import { goToMessage, navigate, SETTINGS_SECTIONS } from '../../shared/address.ts'
import { told } from '../../shared/ask-server.ts'
import type { ShortcutId } from '../../shared/keys/shortcuts.ts'
import { say } from '../../shared/language/say.ts'
import { choose, readPreferences } from '../../shared/preferences/preferences.ts'
import type { Act } from './acts.ts'
import { filesHere } from './files-here.ts'

/** What the acts work on. */
export interface ShellActsDeps {
  readonly client: Client
  /** The conversation that is shown; null where none is. */
  readonly store: ConversationStore | null
  readonly rows: readonly ConversationRow[]
  readonly models: ModelsAnswer | undefined
  readonly agents: readonly AgentRow[]
  /** Does what a shortcut does. */
  readonly press: (id: ShortcutId) => void
}

const THEMES = [
  { theme: 'system', name: 'palette.as-the-system' },
  { theme: 'light', name: 'palette.light' },
  { theme: 'dark', name: 'palette.dark' },
  { theme: 'high-contrast', name: 'palette.high-contrast' },
] as const

const MODES = [
  { mode: 'plan', name: 'palette.plan-only' },
  { mode: 'ask', name: 'palette.ask-first' },
  { mode: 'accept-edits', name: 'palette.accept-edits' },
  { mode: 'sandboxed', name: 'palette.ask-outside-the-sandbox' },
  { mode: 'bypass', name: 'palette.ask-nothing' },
] as const

/** Everything that can be done from anywhere, and what the shown conversation allows now. */
export function shellActs(deps: ShellActsDeps): readonly Act[] {
  const { store, rows, models, agents, press } = deps
  const byKey = (shortcut: ShortcutId, name: string, also: string): Act => ({
    id: shortcut,
    section: 'actions',
    name,
    also,
    shortcut,
    run: () => press(shortcut),
  })
  return [
    ...(store ? actsNow(store) : []),
    byKey('new-conversation', say('common.new-conversation'), say('palette.chat-start')),
    byKey('search', say('palette.search-conversations-and-messages'), say('palette.find-history')),
    byKey('focus-composer', say('palette.write-a-message'), say('palette.composer-input')),
    byKey('toggle-list', say('palette.show-or-hide-the-list'), say('palette.sidebar')),
    ...(store
      ? [byKey('toggle-inspector', say('palette.show-or-hide-the-inspector'), say('palette.context-cost-dock-tokens'))]
      : []),
    act('settings', say('common.settings'), '', () => navigate({ type: 'settings', section: 'appearance' }, 'push')),
    ...(store ? actsOnConversation(deps, store) : []),
    ...THEMES.map(({ theme, name }) =>
      act(`theme-${theme}`, say('palette.theme', { name: say(name) }), say('palette.appearance-colours'), () =>
        choose({ theme }),
      ),
    ),
    ...rows.map(
      ({ id, title, firstWords }): Act => ({
        id: `conversation-${id}`,
        section: 'conversations',
        name: markHidden(title ?? firstWords ?? say('common.untitled')),
        also: '',
        shortcut: null,
        run: () => navigate({ type: 'conversation', conversationId: id }, 'push'),
      }),
    ),
    ...(store ? fileActs(store) : []),
    ...(store && models ? modelActs(store, models) : []),
    ...(store ? agentActs(store, agents) : []),
    ...SETTINGS_SECTIONS.map(
      ({ section, name, also }): Act => ({
        id: `settings-${section}`,
        section: 'settings',
        name: say(name),
        also: say(also),
        shortcut: section === 'keyboard' ? 'keyboard-help' : null,
        run: () => navigate({ type: 'settings', section }, 'push'),
      }),
    ),
  ]
}

/** What is urgent: it stands first, and only while it can be done. */
function actsNow(store: ConversationStore): readonly Act[] {
  const { overview } = store.getSnapshot()
  const [request] = overview.pendingPermissions
  const { exclusive } = overview.runState
  const now = (id: string, name: string, run: () => void): Act => ({
    id,
    section: 'now',
    name,
    also: '',
    shortcut: null,
    run,
  })
  return [
    ...(exclusive
      ? [{ ...now('stop', say('common.stop'), () => void store.stop('stop')), shortcut: 'stop' as const }]
      : []),
    ...(request
      ? [
          now('show-request', say('palette.show-the-request-for-tool', { tool: request.tool }), () => showRequest()),
          now(
            'deny',
            say('palette.deny-tool', { tool: request.tool }),
            () => void store.answerPermission({ requestId: request.requestId, decision: 'deny', scope: 'call' }),
          ),
        ]
      : []),
    ...(overview.queue.held && !exclusive
      ? [now('release', say('palette.let-the-queue-go-on'), () => void store.releaseQueue())]
      : []),
  ]
}

/** Allowing needs a look at what is allowed: the palette only leads there. */
function showRequest(): void {
  const card = document.querySelector<HTMLElement>('[data-testid=permission-card]')
  card?.scrollIntoView({ block: 'center' })
  card?.querySelector('button')?.focus()
}

function actsOnConversation({ client }: ShellActsDeps, store: ConversationStore): readonly Act[] {
  const { conversationId, overview } = store.getSnapshot()
  const { pinnedIds } = readPreferences()
  const isPinned = pinnedIds.includes(conversationId)
  const isBusy = overview.runState.exclusive !== null
  const context = client.context(conversationId)
  return [
    act('rename', say('palette.rename-this-conversation'), say('palette.also-title'), () =>
      pressButton('header.bar [data-act=rename]'),
    ),
    act(
      'make-title',
      say('palette.ask-the-model-for-a'),
      say('palette.also-rename'),
      () => void told(context.makeTitle()),
    ),
    act(
      'pin',
      isPinned ? say('palette.unpin-this-conversation') : say('palette.pin-this-conversation'),
      say('palette.keep-top'),
      () =>
        choose({
          pinnedIds: isPinned ? pinnedIds.filter((id) => id !== conversationId) : [...pinnedIds, conversationId],
        }),
    ),
    act('archive', say('palette.archive-this-conversation'), say('palette.hide-remove'), () => {
      pressButton(`[data-archives="${CSS.escape(conversationId)}"]`)
    }),
    act(
      'begin-anew',
      say('palette.begin-anew-with-the-same'),
      say('palette.reset-clear-start-over-empty'),
      () => void beginAnew(client, conversationId),
    ),
    ...(canvasOf(overview.canvases, overview.settings.agentId).elements.length === 0
      ? []
      : [
          act(
            'clear-canvas',
            say('palette.clear-the-canvas'),
            say('palette.canvas-clear-empty'),
            () => void clearCanvas(client, conversationId),
          ),
        ]),
    ...(isBusy
      ? []
      : [
          act('retry', say('palette.retry-the-last-reply'), say('palette.again-regenerate'), () =>
            pressButton('[data-newest] [data-key="r"]'),
          ),
          act('edit', say('palette.edit-your-last-message'), say('palette.also-change'), () =>
            pressButton('[data-newest] [data-key="e"]'),
          ),
          act('branch', say('palette.branch-from-the-last-reply'), say('palette.fork-copy'), () =>
            pressButton('[data-newest] [data-key="b"]'),
          ),
          act(
            'summarise',
            say('palette.summarise-what-came-before'),
            say('palette.checkpoint-compact-room'),
            () => void told(context.makeCheckpoint(null)),
          ),
        ]),
    ...MODES.map(({ mode, name }) =>
      act(
        `mode-${mode}`,
        say('palette.permission-mode', { name: say(name) }),
        say('palette.tools-allow'),
        () => void store.changeSettings({ permissionMode: mode }),
      ),
    ),
  ]
}

function modelActs(store: ConversationStore, { providers }: ModelsAnswer): readonly Act[] {
  return providers.flatMap(({ name: provider, models }) =>
    models.map(
      ({ id, name }): Act => ({
        id: `model-${id}`,
        section: 'models',
        name: say('palette.answer-with', { name }),
        also: `${provider} ${id}`,
        shortcut: null,
        run: () => void store.changeSettings({ modelId: id }),
      }),
    ),
  )
}

/** Each leads to the reply that changed the file last. */
function fileActs(store: ConversationStore): readonly Act[] {
  const { conversationId, window } = store.getSnapshot()
  return filesHere(window.items).map(
    ({ path, seq }): Act => ({
      id: `file-${path}`,
      section: 'files',
      name: path,
      also: say('palette.changed-file'),
      shortcut: null,
      run: () => goToMessage(conversationId, seq),
    }),
  )
}

function agentActs(store: ConversationStore, agents: readonly AgentRow[]): readonly Act[] {
  return agents.map(
    ({ id, name }): Act => ({
      id: `agent-${id}`,
      section: 'agents',
      name: say('palette.let-name-answer', { name }),
      also: say('palette.also-agent'),
      shortcut: null,
      run: () => void store.changeSettings({ agentId: id }),
    }),
  )
}

function act(id: string, name: string, also: string, run: () => void): Act {
  return { id, section: 'actions', name, also, shortcut: null, run }
}

/** What it needs is where a person would press it: there are its words, its undo and its errors. */
function pressButton(selector: string): void {
  document.querySelector<HTMLElement>(selector)?.click()
}
