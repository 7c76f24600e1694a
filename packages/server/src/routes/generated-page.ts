import { GENERATED_PAGE_PATH } from '@holdfast/protocol'
import type { FastifyInstance } from 'fastify'

/**
 * What a generated page may do, whatever frame it stands in: run scripts of its own, and reach nothing. It has an origin
 * that is nobody's, so that it has no cookies, no storage, no worker and no answer from us. [PREV11, SEC3]
 */
const POLICY = [
  'sandbox allow-scripts allow-forms allow-pointer-lock',
  "default-src 'none'",
  "script-src 'unsafe-inline' 'unsafe-eval'",
  "style-src 'unsafe-inline'",
  'img-src data: blob:',
  'media-src data: blob:',
  'font-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join('; ')

/** Features of the browser that a page could turn to the person with, or to other devices. */
const NO_FEATURES = ['camera', 'geolocation', 'microphone', 'payment', 'usb', 'serial', 'hid', 'midi', 'bluetooth']
  .map((name) => `${name}=()`)
  .join(', ')

/**
 * Takes the first message of the page that frames it, and becomes what that says. It holds nothing of anybody, and does
 * nothing where it stands alone.
 *
 * WebRTC sends datagrams past every content policy: it goes, and with it every frame within, which would have it again.
 * Shadow roots, in which frames are not seen, can be made by `attachShadow` alone.
 */
const SHELL = `<!doctype html><meta charset="utf-8"><title></title><script>
addEventListener('message', function take(event) {
  if (parent === window || event.source !== parent || event.origin !== location.origin) return
  removeEventListener('message', take)
  const { apply } = Reflect
  const { attachShadow, matches, remove, querySelectorAll } = Element.prototype
  const { write, writeln } = Document.prototype
  const FRAMES = 'iframe, frame, object, embed, fencedframe'
  const dropFrames = (node) => {
    if (node.nodeType !== 1) return
    if (apply(matches, node, [FRAMES])) apply(remove, node, [])
    else for (const inner of apply(querySelectorAll, node, [FRAMES])) apply(remove, inner, [])
  }
  const watch = (root) => new MutationObserver((records) => {
    for (const { addedNodes } of records) for (const node of addedNodes) dropFrames(node)
  }).observe(root, { childList: true, subtree: true })
  const plain = (text) => String(text).replace(/shadowrootmode/gi, 'data-shadow')
  for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection']) delete window[name]
  for (const owner of [Element.prototype, ShadowRoot.prototype]) delete owner.setHTMLUnsafe
  delete Document.parseHTMLUnsafe
  Element.prototype.attachShadow = function (given) {
    const root = apply(attachShadow, this, [given])
    watch(root)
    return root
  }
  for (const [name, own] of [['write', write], ['writeln', writeln]])
    Document.prototype[name] = function (...texts) { apply(own, this, texts.map(plain)) }
  document.open()
  watch(document)
  apply(write, document, [plain(event.data.html)])
  document.close()
})
</script>`

/** Serves the document that generated pages are written into. */
export function bindGeneratedPage(app: FastifyInstance): void {
  app.get(GENERATED_PAGE_PATH, async (_request, reply) =>
    reply
      .headers({
        'content-security-policy': POLICY,
        'x-frame-options': 'SAMEORIGIN',
        'permissions-policy': NO_FEATURES,
        'referrer-policy': 'no-referrer',
        // What is refused by a policy is connected to beforehand where this does not say otherwise (Chromium 156).
        'connection-allowlist': '()',
        'x-dns-prefetch-control': 'off',
        'cache-control': 'no-cache',
      })
      .type('text/html; charset=utf-8')
      .send(SHELL),
  )
}
