import type { Tell } from './channel.ts'
import { later, listen } from './natives.ts'

/** Tells whether the lines by which a dev server changes a page are open, and how often they brought something. */
export function watchHmr({ tell }: Tell): void {
  let openCount = 0
  let openedCount = 0
  let updateCount = 0
  let isDue = false
  const soon = () => {
    if (!isDue)
      later(() => {
        isDue = false
        tell({ type: 'hmr', openCount, openedCount, updateCount })
      }, 250)
    isDue = true
  }
  const Made = window.WebSocket
  window.WebSocket = new Proxy(Made, {
    construct(target, given, newTarget) {
      const socket: WebSocket = Reflect.construct(target, given, newTarget)
      if (!isHmr(String(given[0]), given[1])) return socket
      listen(
        socket,
        'open',
        () => {
          openCount += 1
          openedCount += 1
          soon()
        },
        false,
      )
      listen(
        socket,
        'close',
        () => {
          openCount = Math.max(0, openCount - 1)
          soon()
        },
        false,
      )
      listen(
        socket,
        'message',
        () => {
          updateCount += 1
          soon()
        },
        false,
      )
      return socket
    },
  })
}

function isHmr(address: string, protocols: unknown): boolean {
  return String(protocols).includes('vite-hmr') || /webpack-hmr|\/ws$|sockjs-node|turbopack/u.test(address)
}
