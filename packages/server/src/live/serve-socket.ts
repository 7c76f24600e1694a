import type { WebSocket } from '@fastify/websocket'
import type { Clock, SnapshotStore } from '@holdfast/conversation'
import { readOverview } from '@holdfast/engine'
import {
  CLOSE,
  ClientFrame,
  type CommandFrame,
  MAX_CLIENT_FRAME_LENGTH,
  meantCommandId,
  PROTOCOL_VERSION,
  ProtocolError,
  parseFrame,
} from '@holdfast/protocol'
import type { Desks } from '../parts/desks.ts'
import type { Diagnostics } from '../parts/diagnostics.ts'
import type { ListChanges } from '../parts/list-changes.ts'
import type { Principal } from '../parts/principal.ts'
import { tellWrongTotals } from '../parts/tell-wrong-totals.ts'
import type { TerminalParts } from '../parts/terminals.ts'
import { RefusedError, toProblem, withoutPlaces } from '../parts/to-problem.ts'
import type { UserCommands } from '../parts/user-commands.ts'
import { createFollower, type Follower, type FollowerDeps, type Tail } from './follower.ts'
import { createOpenCommands } from './open-commands.ts'
import type { LineLimits } from './outlet.ts'
import { createSocketLine, type SocketLine, type Wire } from './socket-line.ts'
import { createTerminalLine } from './terminal-line.ts'

/** What one socket needs. */
export interface ServeSocketDeps extends Pick<FollowerDeps, 'bus' | 'engine'> {
  readonly store: FollowerDeps['store'] & SnapshotStore
  readonly socket: WebSocket
  readonly wire: Wire
  readonly principal: Principal
  readonly serverId: string
  readonly clock: Clock
  readonly commands: UserCommands
  readonly listChanges: ListChanges
  readonly desks: Pick<Desks, 'subscribe'>
  readonly terminalParts: TerminalParts
  readonly limits: LineLimits
  readonly log: Diagnostics
}

type FollowFrame = Extract<ClientFrame, { type: 'follow' }>

/** How long a client may take to say hello, in milliseconds. */
const HELLO_MS = 10_000

/** How often a silent socket is pinged; one that answers nothing for two of these is gone. In milliseconds. */
const HEARTBEAT_MS = 15_000

/** How many conversations one socket may follow. */
const MAX_FOLLOWS = 200

/** Serves one client from its `hello` to its end. */
export function serveSocket(deps: ServeSocketDeps): SocketLine {
  const { socket, principal, clock, commands, listChanges, log } = deps
  const { userId } = principal
  const line = createSocketLine(deps)
  const followers = new Map<string, Follower>()
  const terminals = createTerminalLine({ ...deps, parts: deps.terminalParts, outlet: line, explain })
  let greeted = false
  const openCommands = createOpenCommands({ pause: () => socket.pause(), resume: () => socket.resume() })
  let unsubscribe = () => {}
  let cancelHello = clock.after(HELLO_MS, () => line.close(CLOSE.noHello))
  let cancelHeartbeat = () => {}
  let heard = true

  socket.on('message', (data: Buffer, isBinary: boolean) => {
    heard = true
    if (!line.isClosed()) onMessage(data, isBinary)
  })
  socket.on('pong', () => {
    heard = true
  })
  socket.on('close', () => {
    cancelHello()
    cancelHeartbeat()
    unsubscribe()
    terminals.close()
    for (const follower of followers.values()) follower.close()
    followers.clear()
  })
  beat()

  function beat(): void {
    cancelHeartbeat = clock.after(HEARTBEAT_MS, () => {
      if (!heard) {
        socket.terminate()
        return
      }
      heard = false
      if (!line.isClosed()) socket.ping()
      beat()
    })
  }

  function onMessage(data: Buffer, isBinary: boolean): void {
    const text = data.toString('utf8')
    try {
      if (isBinary) throw new ProtocolError('Frames are text, not bytes')
      onFrame(parseFrame(ClientFrame, text, MAX_CLIENT_FRAME_LENGTH))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      const commandId = greeted && !isBinary ? meantCommandId(text) : null
      if (commandId !== null) {
        line.send({ type: 'refused', commandId, problem: explain(error) })
        return
      }
      log.warn('closed a socket that sent no frame', { reason: error.message.slice(0, 500) })
      line.close(CLOSE.protocolError)
    }
  }

  function onFrame(frame: ClientFrame): void {
    if (!greeted && frame.type !== 'hello') throw new ProtocolError(`The first frame is hello, not ${frame.type}`)
    switch (frame.type) {
      case 'hello':
        greet(frame.protocol)
        return
      case 'follow':
        void follow(frame)
        return
      case 'unfollow':
        unfollow(frame.conversationId)
        return
      case 'command':
        openCommands.begin('conversationId' in frame ? frame.conversationId : null, () => carryOut(frame))
        return
      case 'terminal-open':
      case 'terminal-input':
      case 'terminal-resize':
      case 'terminal-read':
      case 'terminal-close':
        terminals.onFrame(frame)
        return
      case 'ping':
        line.send({ type: 'pong' })
        for (const follower of followers.values()) follower.verify()
        return
    }
  }

  function greet(protocol: number): void {
    if (greeted) throw new ProtocolError('A connection has one hello')
    cancelHello()
    cancelHello = () => {}
    if (protocol !== PROTOCOL_VERSION) {
      line.close(CLOSE.otherProtocol)
      return
    }
    greeted = true
    line.send({ type: 'welcome', protocol: PROTOCOL_VERSION, serverId: deps.serverId, userId })
    const ofList = listChanges.subscribe(userId, (change) => line.send({ type: 'conversations', ...change }))
    const ofDesks = deps.desks.subscribe(userId, (change) => line.send({ type: 'composer', ...change }))
    unsubscribe = () => {
      ofList()
      ofDesks()
    }
  }

  /** A follow replaces the one before it, so that a client can ask again after a gap. */
  async function follow({ conversationId, after, tail }: FollowFrame): Promise<void> {
    unfollow(conversationId)
    const opening: Follower = { verify() {}, close() {} }
    followers.set(conversationId, opening)
    try {
      if (followers.size > MAX_FOLLOWS) {
        throw new RefusedError(
          429,
          'too-many-follows',
          `A socket follows at most ${MAX_FOLLOWS} conversations; unfollow some`,
        )
      }
      await commands.owned(userId, conversationId)
      if (followers.get(conversationId) !== opening || line.isClosed()) return
      followers.set(
        conversationId,
        createFollower({ ...deps, ...tailOf(), conversationId, after, outlet: line, onFailure }),
      )
    } catch (error) {
      if (followers.get(conversationId) === opening) onFailure(error)
    }

    function tailOf(): { tail?: Tail } {
      if (tail === undefined) return {}
      const readState = async () => {
        const { state } = await readOverview(deps.store, conversationId)
        tellWrongTotals(deps.log, conversationId, state.ledger)
        return state
      }
      return { tail: { entryCount: tail, readOverview: readState } }
    }

    function onFailure(error: unknown): void {
      followers.delete(conversationId)
      if (!line.isClosed()) line.send({ type: 'refused', conversationId, problem: explain(error) })
    }
  }

  function unfollow(conversationId: string): void {
    followers.get(conversationId)?.close()
    followers.delete(conversationId)
  }

  async function carryOut(frame: CommandFrame): Promise<void> {
    const { commandId } = frame
    try {
      const { conversationId, seq, nothingDone } = await commands.carryOut(principal, frame)
      if (nothingDone !== null) throw new RefusedError(409, nothingDone.code, nothingDone.message)
      line.send({ type: 'accepted', commandId, conversationId, seq })
    } catch (error) {
      line.send({ type: 'refused', commandId, problem: explain(error) })
    }
  }

  function explain(error: unknown) {
    const problem = toProblem(error)
    if (problem.status >= 500) log.error('a socket request failed', { code: problem.code, error })
    return principal.role === 'admin' ? problem : withoutPlaces(problem)
  }

  return line
}
