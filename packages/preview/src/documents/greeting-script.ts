/**
 * The least that a document says of itself: that it is there, to the page that shows it and to nobody else. It runs
 * before all code of the page and keeps nothing that the page could reach. [PREV3, WS3]
 */
export const GREETING_SCRIPT = `(function (given) {
  'use strict'
  if (window.parent === window) return
  const ancestors = location.ancestorOrigins
  const shows = (origin) => ancestors === undefined || ancestors[ancestors.length - 1] === origin
  for (const origin of given.parentOrigins.filter(shows)) {
    const channel = new MessageChannel()
    window.top.postMessage({ type: 'holdfast-preview-hello', previewId: given.previewId, secret: given.secret }, origin, [channel.port2])
  }
})`
