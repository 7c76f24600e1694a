import type { PreviewOrder } from '@holdfast/protocol'
import type { Tell } from './channel.ts'
import { later, listen } from './natives.ts'

/** Tells where the page is, and goes where it is asked to. */
export function watchPlace({ tell }: Tell): void {
  let told = ''
  function tellPlace(isLoaded: boolean): void {
    const { canGoBack, canGoForward } = window.navigation ?? { canGoBack: true, canGoForward: true }
    const key = `${location.href} ${document.title} ${canGoBack} ${canGoForward}`
    if (key === told && !isLoaded) return
    told = key
    tell({
      type: 'place',
      url: location.href.slice(0, 4_000),
      title: document.title.slice(0, 300),
      status: statusOfDocument(),
      canGoBack,
      canGoForward,
      ...(isLoaded ? { isLoaded: true as const } : {}),
    })
  }
  const soon = () => later(() => tellPlace(false), 50)
  tellPlace(false)
  listen(window, 'load', () => tellPlace(true), false)
  listen(window, 'popstate', soon, false)
  listen(window, 'hashchange', soon, false)
  if (window.navigation) listen(window.navigation, 'navigatesuccess', soon, false)
  if (window.navigation) listen(window.navigation, 'currententrychange', soon, false)
}

function statusOfDocument(): number {
  const [entry] = performance.getEntriesByType('navigation')
  return entry instanceof PerformanceNavigationTiming ? entry.responseStatus : 0
}

/** Goes back, forward, anew or elsewhere, within the frame. */
export function obeyPlace(order: Extract<PreviewOrder, { type: 'back' | 'forward' | 'reload' | 'go' }>): void {
  switch (order.type) {
    case 'back':
      if (!window.navigation) history.back()
      else if (window.navigation.canGoBack) window.navigation.back()
      return
    case 'forward':
      if (!window.navigation) history.forward()
      else if (window.navigation.canGoForward) window.navigation.forward()
      return
    case 'reload':
      location.reload()
      return
    case 'go': {
      const url = new URL(order.url, location.href)
      if (url.origin === location.origin) location.assign(url)
    }
  }
}
