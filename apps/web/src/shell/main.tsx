import './schemas-without-eval.ts'
import '@fontsource-variable/atkinson-hyperlegible-mono/index.css'
import '@fontsource-variable/atkinson-hyperlegible-next/index.css'
import '../styles/tokens.css'
import '../styles/base.css'
import '../styles/layout.css'
import '../styles/thread.css'
import '../styles/markdown.css'
import '../styles/tools.css'
import '../styles/tool-panel.css'
import '../styles/files.css'
import '../styles/review.css'
import '../styles/composer.css'
import '../styles/attach.css'
import '../styles/queue.css'
import '../styles/context.css'
import '../styles/request.css'
import '../styles/message.css'
import '../styles/canvas.css'
import '../styles/canvas-elements.css'
import '../styles/first.css'
import '../styles/list.css'
import '../styles/palette.css'
import '../styles/settings.css'
import '../styles/rules.css'
import '../styles/agents.css'
import '../styles/account.css'
import '../styles/memories.css'
import '../styles/presets.css'
import '../styles/workspaces.css'
import '../styles/terminal.css'
import '../styles/schedules.css'
import '../styles/files-tab.css'
import '../styles/preview.css'
import '../styles/voice.css'
import '../styles/archive.css'
import '../styles/touch.css'
import { createAccountApi, createClient } from '@holdfast/client'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { AgentPictures } from '../agents/agent-pictures.tsx'
import { BASE_PATH } from '../shared/address.ts'
import { followLanguage } from '../shared/language/follow-language.ts'
import { Spoken } from '../shared/language/said.tsx'
import { readTheRest } from '../shared/later.tsx'
import { startNotifying } from '../shared/notify/notify.ts'
import { onOtherPageKey, pageKey, takePageKey } from '../shared/page-key.ts'
import { showPreferences } from '../shared/preferences/preferences.ts'
import { sendForm } from '../shared/send-form.ts'
import { outboxKeeper, unsentKeeper } from '../shared/tab-storage.ts'
import { takeSignInAnswer } from '../tool-panel/server-sign-in.ts'
import { App } from './app.tsx'
import { onNextFrame } from './next-frame.ts'

const url = location.origin + BASE_PATH
takePageKey()
const endSignIn = takeSignInAnswer()
const account = createAccountApi({ url, pageKey })
const client = createClient({
  url,
  pageKey,
  tellLater: onNextFrame,
  outboxKeeper,
  unsentKeeper,
  sendForm,
  onPassedOver: (passed) => console.warn('frame-passed-over', passed),
})

addEventListener('online', client.retryNow)
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') client.retryNow()
})

// A tab that is signed out goes on when the browser has come in by another one.
onOtherPageKey(() => {
  const link = client.link.getSnapshot()
  if (link.type === 'ended' && link.reason === 'unauthorized') location.reload()
})

startNotifying(client)

const root = document.getElementById('root')
if (!root) throw new Error('index.html has no element with the id root')
const page = createRoot(root)
// The words come first: a page in one language that becomes one in another is read twice.
void followLanguage().then(() => {
  showPreferences()
  void endSignIn?.(client)
  page.render(
    <StrictMode>
      <Spoken>
        <AgentPictures client={client}>
          <App client={client} account={account} />
        </AgentPictures>
      </Spoken>
    </StrictMode>,
  )
})

/** A page that has reached its server has drawn what was asked for by then, in milliseconds. What is opened before is read when it is opened. */
const REST_AFTER_MS = 2_000

const stopWaiting = client.link.subscribe(() => {
  if (client.link.getSnapshot().type !== 'live') return
  stopWaiting()
  setTimeout(() => void readTheRest(), REST_AFTER_MS)
})

// Only a page that is served over a trusted line may have one; without it nothing is missing but the shell while the server is away.
if ('serviceWorker' in navigator) {
  addEventListener(
    'load',
    () => void navigator.serviceWorker.register(`${BASE_PATH}/service-worker.js`).catch(() => null),
  )
}
