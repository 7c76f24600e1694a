import { type Clock, type Json, untilAborted, waitFor } from '@holdfast/conversation'
import type { ToolContext, ToolDefinition, ToolReturn } from '@holdfast/tool'
import { UnauthorizedError } from '@modelcontextprotocol/client'
import { callTool } from './call-tool.ts'
import { type Connection, type ConnectionDeps, connectTo } from './connection.ts'
import { hideSecretsOf } from './hide-secrets.ts'
import { createOfferBook } from './offer-book.ts'
import type { RefusedTool } from './offered-tool.ts'
import { pauseBefore } from './pause-before.ts'
import type { PinStore } from './pins.ts'
import { createRunningCalls } from './running-calls.ts'
import { createServerLog, type ServerLogLine } from './server-log.ts'
import { type McpServerSettings, SERVER_LIMITS } from './server-settings.ts'
import type { McpServerState, McpServerStatus } from './server-status.ts'
import { createSignIn, type SignInStore } from './sign-in.ts'

/** What one server works with. */
export interface McpServerDeps
  extends Pick<ConnectionDeps, 'clock' | 'environment' | 'register' | 'fetch' | 'isPublicHost' | 'version'> {
  readonly clock: Clock
  readonly pins: PinStore
  readonly signIns: SignInStore
  /** Where a person comes back to after a sign-in. */
  readonly redirectUrl: () => string
  /** Told when what is shown of the server, or its tools, may be others. */
  readonly onChange: () => void
}

/** One server: it is kept connected while it is on. */
export interface McpServer {
  readonly settings: McpServerSettings
  status(): McpServerStatus
  logs(): readonly ServerLogLine[]
  /** What was accepted of its tools, whether it is connected or not: requests stay the same while it restarts. */
  definitions(): readonly ToolDefinition[]
  /** Runs a call by the name that the model knows. Waits for a server that is being connected. */
  call(call: { readonly name: string; readonly input: Json }, context: ToolContext): Promise<ToolReturn>
  /** Ends the connection, if there is one, and connects at once. */
  restart(): void
  setOn(on: boolean): void
  /** Takes the offer of this hash for accepted; false when the server offers something else by now. */
  acceptChanges(offerHash: string): Promise<boolean>
  /** The connection, for what is asked of a server beside its tools; null while there is none. */
  connection(): Connection | null
  /** Where a person signs in who asks for it now; what was given before leads to nothing. Null while no sign-in is wanted. */
  beginSignIn(): string | null
  /** Whether a callback answers the sign-in that is open. */
  awaitsSignIn(callback: URLSearchParams): boolean
  /** Ends the sign-in of somebody; false when the callback answers none of ours. */
  finishSignIn(callback: URLSearchParams, by: string): Promise<boolean>
  close(): Promise<void>
}

/** Keeps one server connected. A server that fails is tried again, later and later. [TOOL9] */
export function createMcpServer(settings: McpServerSettings, deps: McpServerDeps): McpServer {
  const { clock, onChange } = deps
  const { name, reach } = settings
  const log = createServerLog({ clock, hide: hideSecretsOf(reach) })
  const book = createOfferBook(settings, deps.pins)
  const signIn =
    reach.type === 'http' ? createSignIn({ server: name, store: deps.signIns, redirectUrl: deps.redirectUrl }) : null
  const running = createRunningCalls({ server: name, log })
  let state: McpServerState = { type: 'off' }
  let on = settings.on
  let closing = false
  let connection: Connection | null = null
  let http: Parameters<ConnectionDeps['onHttp']>[0] | null = null
  let lastError: McpServerStatus['lastError'] = null
  let refused: readonly RefusedTool[] = []
  let failures = 0
  /** Ends whatever the loop waits for. */
  let wake = new AbortController()
  let changed = Promise.withResolvers<void>()

  function become(next: McpServerState): void {
    state = next
    tell()
  }

  function tell(): void {
    const told = changed
    changed = Promise.withResolvers<void>()
    told.resolve()
    onChange()
  }

  function failed(error: unknown): void {
    const text = error instanceof Error ? error.message.slice(0, 1_000) : 'It failed for no reason that it gave'
    failures += 1
    lastError = { at: clock.now(), text }
    log.add('connection', text)
  }

  /** Resolves after a time, or when something happened that the loop has to look at. */
  async function rest(delayMs: number | null): Promise<void> {
    const { signal } = wake
    if (delayMs !== null) await waitFor(clock, delayMs, signal)
    else await untilAborted(signal)
  }

  async function keepConnected(): Promise<void> {
    await book.open()
    await signIn?.open()
    tell()
    let attempt = 1
    let probe = true
    while (!closing) {
      wake = new AbortController()
      if (!on) {
        become({ type: 'off' })
        await rest(null)
        attempt = 1
        continue
      }
      const began = clock.monotonicMs()
      const end = await liveOnce(attempt, probe)
      if (wake.signal.aborted || closing) {
        attempt = 1
        continue
      }
      if (end === 'needs-sign-in') {
        become({ type: 'needs-sign-in', url: signIn?.url() ?? null })
        await rest(null)
        attempt = 1
        continue
      }
      // Some older servers end when they are asked for something before they are greeted.
      probe = end === 'never-connected' ? !probe : probe
      attempt = clock.monotonicMs() - began > SERVER_LIMITS.steadyMs ? 2 : attempt + 1
      const pauseMs = pauseBefore(attempt)
      become({ type: 'waiting', attempt, until: clock.now() + pauseMs })
      await rest(pauseMs)
      if (wake.signal.aborted) attempt = 1
    }
    become({ type: 'off' })
  }

  /** One connection, from its first attempt to its end. */
  async function liveOnce(attempt: number, probe: boolean): Promise<'ended' | 'never-connected' | 'needs-sign-in'> {
    become({ type: 'connecting', attempt })
    let opened: Connection | null = null
    try {
      opened = await connectTo(
        {
          ...deps,
          settings,
          log,
          signIn,
          probe,
          onHttp,
          onToolsChanged,
          elicit: running.elicit,
          sample: running.sample,
        },
        wake.signal,
      )
      await look(opened)
      connection = opened
      become({
        type: 'connected',
        since: clock.now(),
        protocolVersion: opened.client.getNegotiatedProtocolVersion() ?? null,
      })
      await Promise.race([opened.closed, rest(null)])
      if (!wake.signal.aborted) failed(new Error('The connection ended'))
      return 'ended'
    } catch (error) {
      if (wake.signal.aborted) return 'ended'
      failed(error)
      return error instanceof UnauthorizedError ? 'needs-sign-in' : 'never-connected'
    } finally {
      connection = null
      await opened?.close()
    }
  }

  /** Reads what the server offers and compares it with what was accepted. */
  async function look(from: Connection): Promise<void> {
    const offer = await from.listTools(wake.signal)
    refused = offer.refused
    await book.offer({ tools: [...offer.tools], instructions: from.instructions })
  }

  function onHttp(used: NonNullable<typeof http>): void {
    http = used
  }

  /** Ends the connection and whatever the loop waits for. */
  function beginAnew(): void {
    connection = null
    wake.abort()
  }

  let isLooking = false
  let wantsLook = false
  /** One look at a time, however often the server says that something has changed. */
  function onToolsChanged(): void {
    wantsLook = true
    if (isLooking) return
    isLooking = true
    void (async () => {
      while (wantsLook && connection !== null) {
        wantsLook = false
        await look(connection).catch(failed)
        tell()
      }
      isLooking = false
    })()
  }

  /** The connection, once there is one; else in words why not. */
  async function connected(signal: AbortSignal): Promise<Connection | string> {
    const come = new AbortController()
    let isLate = false
    const late = waitFor(clock, SERVER_LIMITS.waitForServerMs, AbortSignal.any([signal, come.signal])).then(() => {
      isLate = true
    })
    while (connection === null && on && !closing && state.type !== 'needs-sign-in' && !isLate)
      await Promise.race([changed.promise, late])
    come.abort()
    return connection ?? absence()
  }

  function absence(): string {
    const why = lastError === null ? '' : ` Its last error: ${lastError.text}`
    if (state.type === 'needs-sign-in') return `The server ${name} needs a person to sign in.`
    return on ? `The server ${name} is not connected.${why}` : `The server ${name} is turned off.`
  }

  const loop = keepConnected()

  return {
    settings,
    status: () => ({
      name,
      reach: reach.type === 'http' ? reach.url : [reach.command, ...reach.args].join(' '),
      state,
      title: connection?.client.getServerVersion()?.name ?? null,
      toolCount: book.definitions().length,
      instructions: book.instructions(),
      refused,
      changes: book.changes(),
      offerHash: book.offerHash(),
      lastError,
      failures,
      runningCalls: running.count(),
      signIn: signIn?.holder() ?? null,
      isSignInShared: settings.sharesSignIn === true,
    }),
    logs: () => log.lines(),
    definitions: () => book.definitions(),
    async call(call, context) {
      const found = book.find(call.name)
      if (found.type === 'withheld') return unusable(found.reason)
      const live = await connected(context.signal)
      if (typeof live === 'string') return unusable(live)
      // The list may have changed while the call waited for its server.
      const now = book.find(call.name)
      if (now.type === 'withheld') return unusable(now.reason)
      const result = await running
        .during(context, () =>
          callTool(live.client, { server: name, tool: now.tool, input: call.input, context }, clock),
        )
        .finally(() => {
          // While others run, their own limits say whether it is still there: it may be busy with one of them.
          if (context.signal.aborted && running.count() === 0) void live.drain()
        })
      const wantedUrl = signIn?.url() ?? null
      // For this call it wants more than was granted: the others go on with what there is.
      if (result.isError && wantedUrl !== null) become({ type: 'needs-sign-in', url: wantedUrl })
      else if (result.isError) void live.check()
      return result
    },
    restart: beginAnew,
    setOn(wanted) {
      if (on === wanted) return
      on = wanted
      beginAnew()
    },
    async acceptChanges(offerHash) {
      const isAccepted = await book.accept(offerHash)
      tell()
      return isAccepted
    },
    connection: () => connection,
    beginSignIn() {
      const url = signIn?.begin() ?? null
      if (url !== null && state.type === 'needs-sign-in') become({ type: 'needs-sign-in', url })
      return url
    },
    awaitsSignIn: (callback) => signIn?.waitsFor(callback.get('state') ?? '') === true,
    async finishSignIn(callback, by) {
      if (!http || !signIn?.takes(callback.get('state') ?? '')) return false
      signIn.signingIn(by)
      await http.finishAuth(callback)
      beginAnew()
      return true
    },
    async close() {
      closing = true
      wake.abort()
      await loop
    },
  }
}

function unusable(text: string): ToolReturn {
  return { type: 'tool-return', text: `${text} The call did not run.`, isError: true, images: [] }
}
