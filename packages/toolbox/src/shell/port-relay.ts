import { connect, type Socket } from 'node:net'

/**
 * A process inside the network of commands. Each message asks for one connection to the one port that it was started
 * for; the open connection itself goes back over the channel, so that nothing listens anywhere. It ends with the channel.
 */
const port = Number(process.argv[2])

process.on('message', (message) => {
  if (typeof message !== 'object' || message === null || !('connectionId' in message)) return
  const { connectionId } = message
  const answer = (code: string | null, socket: Socket | undefined): void =>
    void process.send?.({ connectionId, code }, socket, { keepOpen: false })
  // Programs for developers listen at one of the two only, as `localhost` is read.
  reach('127.0.0.1', {
    onOpen: (socket) => answer(null, socket),
    onFailure: () =>
      reach('::1', {
        onOpen: (socket) => answer(null, socket),
        onFailure: (code) => answer(code, undefined),
      }),
  })
})
process.on('disconnect', () => process.exit())

interface Reached {
  readonly onOpen: (socket: Socket) => void
  readonly onFailure: (code: string) => void
}

function reach(host: string, { onOpen, onFailure }: Reached): void {
  const socket = connect({ host, port })
  // What the other side says first is for the one who gets the connection.
  socket.pause()
  const onError = (error: Error): void => onFailure('code' in error ? String(error.code) : error.message)
  socket.once('error', onError)
  socket.once('connect', () => {
    socket.off('error', onError)
    onOpen(socket)
  })
}
