/**
 * What the browser gives, taken before any code of the page runs: the page can replace what it sees later, and is called
 * by nobody here.
 */
const { apply, getOwnPropertyDescriptor } = Reflect

type Method<This, Args extends unknown[], Result> = (self: This, ...given: Args) => Result

function method<This, Args extends unknown[], Result>(
  made: (this: This, ...given: Args) => Result,
): Method<This, Args, Result> {
  return (self, ...given) => apply(made, self, given)
}

function getter(prototype: object, name: string): (self: object) => unknown {
  const get = getOwnPropertyDescriptor(prototype, name)?.get
  if (get === undefined) throw new Error(`This browser has no ${name}`)
  return (self) => apply(get, self, [])
}

export const listen = method<EventTarget, [string, (event: never) => void, boolean], void>(
  EventTarget.prototype.addEventListener as never,
)
export const postToPort = method<MessagePort, [unknown], void>(MessagePort.prototype.postMessage as never)
export const startPort = method<MessagePort, [], void>(MessagePort.prototype.start)
export const postToWindow: Method<Window, [unknown, string, Transferable[]], void> = method<
  Window,
  [unknown, string, Transferable[]],
  void
>(window.parent.postMessage as never)
export const dataOf = getter(MessageEvent.prototype, 'data')
export const Channel = MessageChannel
const timeout = setTimeout
export const later = (run: () => void, ms: number) => apply(timeout, window, [run, ms])
const clock = performance.now
export const nowMs = (): number => apply(clock, performance, [])
export const prevent = method<Event, [], void>(Event.prototype.preventDefault)
export const stopHere = method<Event, [], void>(Event.prototype.stopImmediatePropagation)
