import { type BodyOf, type CommandFrame, type ModelsAnswer, ownRoutes, type ServerFrame } from '@holdfast/protocol'
import { type AdministrationActs, createAdministrationActs } from './apis/administration-acts.ts'
import { type AgentActs, createAgentActs } from './apis/agent-acts.ts'
import { type ArchiveActs, createArchiveActs } from './apis/archive-acts.ts'
import { type AttachmentApi, createAttachmentApi, type SendForm, sendFormByFetch } from './apis/attachment-api.ts'
import { createInstallationActs, type InstallationActs } from './apis/installation-acts.ts'
import { createListActs, type ListActs } from './apis/list-acts.ts'
import { createMemoryApi, type MemoryApi } from './apis/memory-api.ts'
import { createPermissionRuleApi, type PermissionRuleApi } from './apis/permission-rule-api.ts'
import { createPlaceFiles, type FilesOf, type PlaceFiles } from './apis/place-files.ts'
import { createPresetActs, type PresetActs } from './apis/preset-acts.ts'
import { createPreviewActs, type PreviewActs } from './apis/preview-acts.ts'
import { createProviderActs, type ProviderActs } from './apis/provider-acts.ts'
import { createPushActs, type PushActs } from './apis/push-acts.ts'
import { createScheduleActs, type ScheduleActs } from './apis/schedule-acts.ts'
import { createSettingActs, type SettingActs } from './apis/setting-acts.ts'
import { createTerminalPeer, type TerminalApi } from './apis/terminal-api.ts'
import { createWorkspaceActs, type WorkspaceActs } from './apis/workspace-acts.ts'
import { type ConversationCanvas, createConversationCanvas } from './conversation/conversation-canvas.ts'
import { type ConversationContext, createConversationContext } from './conversation/conversation-context.ts'
import { type ConversationErasure, createConversationErasure } from './conversation/conversation-erasure.ts'
import { type ConversationFiles, createConversationFiles } from './conversation/conversation-files.ts'
import { type ConversationList, createConversationList } from './conversation/conversation-list.ts'
import { type ConversationCommandFrame, isNotNow, lineRefusal } from './conversation/conversation-state.ts'
import {
  type ConversationPeer,
  type ConversationStore,
  createConversationStore,
} from './conversation/conversation-store.ts'
import { type ConversationTools, createConversationTools } from './conversation/conversation-tools.ts'
import { loadOutbox, type OutboxKeeper, saveOutbox, type UnreadCommand } from './conversation/kept-outbox.ts'
import { createUnsentText, type UnsentKeeper, type UnsentText } from './conversation/unsent-text.ts'
import { createHttpApi } from './link/http-api.ts'
import { createLink, type LinkState, type PassedOver } from './link/link.ts'
import { readPicture, ticketed, whyNotLoaded } from './link/loaded-by-browser.ts'
import { createOutageRetry } from './link/outage-retry.ts'
import { createPageReader, type PageReader } from './link/page-reader.ts'
import { RequestFailedError } from './link/request-failed-error.ts'
import type { Transport } from './link/transport.ts'
import { createWebSocketTransport, type ServerAddress } from './link/web-socket-transport.ts'
import { type ClientPorts, machinePorts } from './ports.ts'
import { createSource, type Observable, tellAtOnce } from './values/observable.ts'
import { createRemoteValue, type RemoteValue } from './values/remote-value.ts'

/** Everything a program or a page needs to follow and to command. */
export interface Client
  extends AgentActs,
    ListActs,
    ProviderActs,
    ArchiveActs,
    InstallationActs,
    SettingActs,
    AdministrationActs,
    PreviewActs,
    WorkspaceActs,
    PresetActs,
    ScheduleActs,
    PushActs {
  /** Whether the server is reached. */
  readonly link: Observable<LinkState>
  readonly conversations: Observable<ConversationList>
  /** Reads the next older page of the list, unless one is on its way or there is none. */
  loadOlderConversations(): void
  /** One conversation; the same store for the same id. */
  conversation(conversationId: string): ConversationStore
  /** The store of a conversation, or null when nobody has asked for it yet. */
  openedConversation(conversationId: string): ConversationStore | null
  /** What the model is sent of a conversation; the same for the same id. */
  context(conversationId: string): ConversationContext
  /** Commands that were kept over an upgrade and that this version cannot read, until their words are taken. [UI23] */
  readonly unreadCommands: Observable<readonly UnreadCommand[]>
  /** Lets one of them go: its words are somewhere else now, or not wanted. */
  forgetUnread(id: string): void
  /** The tools of a conversation; the same for the same id. */
  tools(conversationId: string): ConversationTools
  /** The files that a conversation changed. */
  files(conversationId: string): ConversationFiles
  /** Names files of the folder of a conversation, or of one that has not begun. @throws {RequestFailedError} */
  findFiles(query: FilesQuery): Promise<readonly string[]>
  /** What is where in the folder of a conversation; null where there is no folder. @throws {RequestFailedError} */
  readMap(conversationId: string, focus: string): Promise<BodyOf<typeof ownRoutes.readMap, 200>['map']>
  /** The terminals of this person, and what agents run in the background beside them. */
  readonly terminals: TerminalApi
  /** The files of a conversation's place, as a person reads and writes them. */
  placeFiles(of: FilesOf): PlaceFiles
  /** Erases words of a conversation. */
  erasure(conversationId: string): ConversationErasure
  /** What is written in a conversation and not sent; the same for the same id. */
  composer(conversationId: string): UnsentText
  /** What a person does on the canvases of a conversation. */
  canvas(conversationId: string): ConversationCanvas
  /** Files that go along with a message. */
  readonly attachments: AttachmentApi
  /** Providers and their models; read when the server is reached. */
  readonly models: RemoteValue<ModelsAnswer>
  /** What is remembered of this user. */
  readonly memories: MemoryApi
  /** Rules for calls: what the past suggests, and what one would have done. */
  readonly permissionRules: PermissionRuleApi
  /**
   * Makes a conversation. Asked again after every break of the line until it is answered.
   *
   * Who answers in it is the model and the agent that are chosen, and what else is chosen holds from its first turn on.
   *
   * @throws {RequestFailedError}
   */
  createConversation(chosen: FirstChoices): Promise<string>
  /**
   * Where a browser gets by itself what is at an address of the server, such as a file: good for a minute. [SEC19]
   *
   * @throws {RequestFailedError}
   */
  ticketed(target: string): Promise<string>
  /** Why a browser could not load what is at an address of the server; null where it did not know what it is. */
  whyNotLoaded(target: string): Promise<RequestFailedError | null>
  /** Reads a small picture of the server as a `data:` address; null where there is none. @throws {RequestFailedError} */
  readPicture(target: string): Promise<string | null>
  /** Ends a sign-in with an MCP server by what it led back with. @returns the name of the server. @throws {RequestFailedError} */
  endMcpSignIn(answer: URLSearchParams): Promise<string>
  /** Tries to reach the server at once. */
  retryNow(): void
  close(): void
}

/** Which files are looked for. */
export interface FilesQuery {
  readonly words: string
  /** Null for one that has not begun. */
  readonly conversationId: string | null
  /** The workspace that one which has not begun would have; null for the installation's own, and where it has begun. */
  readonly workspaceId: string | null
}

/** What is chosen for a conversation before its first message. [UI33] */
export interface FirstChoices {
  /** Null for the model that answers where none is chosen. */
  readonly modelId: string | null
  /** Null for whoever answers where none is chosen. */
  readonly agentId: string | null
  /** What else is set from the beginning, below all that is chosen here; absent for nothing. [WS33] */
  readonly presetId?: string
  readonly settings: NonNullable<Extract<CommandFrame, { name: 'create-conversation' }>['settings']>
}

/** How to make a client. */
export interface ClientOptions extends ServerAddress {
  /** Another way to the server than a WebSocket. */
  readonly transport?: Transport
  /** Another way to send a file than `fetch`: one that tells how far it is. */
  readonly sendForm?: SendForm
  /** Another way to the pages of a log than HTTP. */
  readonly readPage?: PageReader
  readonly ports?: ClientPorts
  /** Runs its argument when listeners may be told of changes; absent: at once. A page gives its frames. */
  readonly tellLater?: (tell: () => void) => void
  /** Keeps the outbox over a reload of the page; absent: it lives as long as the client. */
  readonly outboxKeeper?: OutboxKeeper
  /** Told of each frame that a later version of the server sends and this one passes over; absent: nobody is. [SYNC9] */
  readonly onPassedOver?: (passed: PassedOver) => void
  /** Keeps what is written and not sent; absent: it lives as long as the client, and at the server. */
  readonly unsentKeeper?: UnsentKeeper
}

interface Creation {
  readonly command: CommandFrame
  readonly resolve: (conversationId: string) => void
  readonly reject: (error: RequestFailedError) => void
}

/** Connects to a server and stays connected until `close`. */
export function createClient(options: ClientOptions): Client {
  const { clock, random, newId } = options.ports ?? machinePorts
  const tellLater = options.tellLater ?? tellAtOnce
  const keeper = options.outboxKeeper ?? null
  const peers = new Map<string, ConversationPeer>()
  const contexts = new Map<string, ConversationContext>()
  const unsentTexts = new Map<string, UnsentText>()
  const tools = new Map<string, ConversationTools>()
  const creations = new Map<string, Creation>()
  const linkState = createSource<LinkState>({ type: 'connecting', attempt: 1 }, tellLater)
  const list = createConversationList(options, tellLater)
  const ask = createHttpApi(options)
  const models = createRemoteValue(() => ask(ownRoutes.listModels, ownRoutes.listModels.answers[200], {}), tellLater)
  const agentActs = createAgentActs({ ask, tellLater })
  const workspaceActs = createWorkspaceActs({ ask, newId, tellLater })
  const terminals = createTerminalPeer({ ask, newId, send: (frame) => link.send(frame) })
  const presetActs = createPresetActs({ ask, tellLater })
  const readPage = options.readPage ?? createPageReader(options)
  const kept = keeper ? loadOutbox(keeper, newId) : { commands: [], unread: [] }
  const unread = createSource(kept.unread, tellLater)

  const link = createLink({
    transport: options.transport ?? createWebSocketTransport(options),
    clock,
    random,
    clientId: newId(),
    onState(state) {
      linkState.set(state)
      if (state.type === 'live') onLive()
    },
    onFrame,
    onLineRefused() {
      for (const peer of peers.values()) peer.onLineRefused()
      refuseCreations()
    },
    onPassedOver: (passed) => options.onPassedOver?.(passed),
    onBeat: askAgain,
  })
  const outageRetry = createOutageRetry({ clock, random, again: askAgain })
  for (const { conversationId } of kept.commands) peerOf(conversationId)

  function onLive(): void {
    for (const peer of peers.values()) peer.onLive()
    for (const own of unsentTexts.values()) own.refresh()
    terminals.onLive()
    resendCreations()
    void list.load()
    models.load()
    agentActs.agents.load()
    workspaceActs.workspaces.load()
    presetActs.presets.load()
  }

  function askAgain(): void {
    for (const peer of peers.values()) peer.onBeat()
    resendCreations()
  }

  function resendCreations(): void {
    for (const { command } of creations.values()) link.send(command)
  }

  function refuseCreations(): void {
    for (const { command, reject } of creations.values()) {
      creations.delete(command.commandId)
      const notTaken = lineRefusal()
      reject(new RequestFailedError(notTaken.detail, { problem: notTaken, status: notTaken.status }))
    }
  }

  function onFrame(frame: ServerFrame): void {
    if (frame.type === 'conversations') list.merge(frame.changed)
    if (frame.type === 'conversations') list.remove(frame.removed ?? [])
    if (frame.type === 'composer') unsentTexts.get(frame.conversationId)?.heard(frame.version)
    terminals.onFrame(frame)
    outageRetry.onFrame(frame)
    if (frame.type === 'accepted' || frame.type === 'refused') settleCreation(frame)
    for (const peer of peersOf(frame)) peer.onFrame(frame)
  }

  /** A refused command names no conversation: whoever has it in the outbox knows. */
  function peersOf(frame: ServerFrame): Iterable<ConversationPeer> {
    if (!('conversationId' in frame) || frame.conversationId === undefined) return peers.values()
    const peer = peers.get(frame.conversationId)
    return peer ? [peer] : []
  }

  function settleCreation(frame: Extract<ServerFrame, { type: 'accepted' | 'refused' }>): void {
    const creation = creations.get(frame.commandId ?? '')
    if (!creation || (frame.type === 'refused' && isNotNow(frame.problem))) return
    creations.delete(creation.command.commandId)
    if (frame.type === 'accepted') creation.resolve(frame.conversationId)
    else
      creation.reject(
        new RequestFailedError(frame.problem.detail, { problem: frame.problem, status: frame.problem.status }),
      )
  }

  function peerOf(conversationId: string): ConversationPeer {
    const known = peers.get(conversationId)
    if (known) return known
    const peer = createConversationStore({
      conversationId,
      unsent: kept.commands.filter((command) => command.conversationId === conversationId),
      newId,
      tellLater,
      send: link.send,
      onOutboxChange: keepOutbox,
      readBefore: (seq) => readPage(conversationId, seq),
    })
    peers.set(conversationId, peer)
    return peer
  }

  function contextOf(conversationId: string): ConversationContext {
    const known = contexts.get(conversationId)
    if (known) return known
    const context = createConversationContext({ conversationId, ask, newId, tellLater })
    contexts.set(conversationId, context)
    return context
  }

  function composerOf(conversationId: string): UnsentText {
    const unsentKeeper = options.unsentKeeper ?? { load: () => null, save: () => {} }
    const known =
      unsentTexts.get(conversationId) ?? createUnsentText({ conversationId, ask, clock, keeper: unsentKeeper })
    unsentTexts.set(conversationId, known)
    return known
  }

  function toolsOf(conversationId: string): ConversationTools {
    const known = tools.get(conversationId) ?? createConversationTools({ conversationId, ask, newId, tellLater })
    tools.set(conversationId, known)
    return known
  }

  function keepOutbox(): void {
    if (!keeper) return
    const commands: ConversationCommandFrame[] = []
    for (const { store } of peers.values()) for (const { command } of store.getSnapshot().outbox) commands.push(command)
    saveOutbox(keeper, { commands, unread: unread.getSnapshot() })
  }

  return {
    link: { getSnapshot: linkState.getSnapshot, subscribe: linkState.subscribe },
    conversations: list.store,
    loadOlderConversations: () => void list.loadOlder(),
    conversation: (conversationId) => peerOf(conversationId).store,
    openedConversation: (conversationId) => peers.get(conversationId)?.store ?? null,
    ...agentActs,
    ...createListActs({ ask, newId, onRow: (row) => list.merge([row]), onDeleted: (id) => list.remove([id]) }),
    ...createProviderActs(ask),
    ...createSettingActs(ask),
    ...createAdministrationActs(ask),
    ...createInstallationActs(ask),
    ...createArchiveActs({ ask }),
    ...createPreviewActs(ask),
    ...workspaceActs,
    terminals: terminals.api,
    ...presetActs,
    ...createScheduleActs({ ask, tellLater }),
    ...createPushActs(ask),
    context: contextOf,
    unreadCommands: { getSnapshot: unread.getSnapshot, subscribe: unread.subscribe },
    forgetUnread(id) {
      unread.set(unread.getSnapshot().filter((one) => one.id !== id))
      keepOutbox()
    },
    tools: toolsOf,
    files: (conversationId) => createConversationFiles({ conversationId, ask, newId }),
    async findFiles({ words, conversationId, workspaceId }) {
      const { findFiles: route } = ownRoutes
      const query = {
        words,
        ...(conversationId === null ? {} : { conversationId }),
        ...(workspaceId === null ? {} : { workspaceId }),
      }
      return (await ask(route, route.answers[200], { query })).files
    },
    async readMap(id, focus) {
      const { readMap: route } = ownRoutes
      return (await ask(route, route.answers[200], { params: { id }, query: { focus } })).map
    },
    placeFiles: (of) => createPlaceFiles({ address: options, ask }, of),
    erasure: (conversationId) => createConversationErasure(ask, conversationId),
    composer: composerOf,
    canvas: (conversationId) => createConversationCanvas({ conversationId, ask, newId }),
    attachments: createAttachmentApi({ address: options, ask, sendForm: options.sendForm ?? sendFormByFetch }),
    models,
    memories: createMemoryApi(ask),
    permissionRules: createPermissionRuleApi({ ask, newId }),
    createConversation: ({ modelId, agentId, presetId, settings }) =>
      new Promise((resolve, reject) => {
        const command: CommandFrame = {
          type: 'command',
          name: 'create-conversation',
          commandId: newId(),
          ...(modelId === null ? {} : { modelId }),
          ...(agentId === null ? {} : { agentId }),
          ...(presetId === undefined ? {} : { presetId }),
          ...(Object.keys(settings).length === 0 ? {} : { settings }),
        }
        creations.set(command.commandId, { command, resolve, reject })
        link.send(command)
      }),
    ticketed: (target) => ticketed({ ask, url: options.url }, target),
    whyNotLoaded: (target) => whyNotLoaded(options, target),
    readPicture: (target) => readPicture(options, target),
    async endMcpSignIn(answer) {
      const { endMcpSignIn: route } = ownRoutes
      return (await ask(route, route.answers[200], { query: Object.fromEntries(answer) })).server
    },
    retryNow: link.retryNow,
    close() {
      outageRetry.close()
      link.close()
    },
  }
}
