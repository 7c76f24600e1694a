import type { Client } from '@holdfast/client'
import { MCP_SIGN_IN_FRAGMENT } from '@holdfast/protocol'
import { BASE_PATH } from '../shared/address.ts'
import { answerOf } from '../shared/ask-server.ts'
import { say } from '../shared/language/say.ts'
import { tell, tellProblem } from '../shared/toasts/toasts.ts'

/** Where the person was who left for a sign-in. */
const CAME_FROM = 'holdfast.sign-in-from'

/** Leaves for the page on which a person signs in with a server, in this tab: it leads back here. */
export function leaveForSignIn(url: string): void {
  sessionStorage.setItem(CAME_FROM, location.pathname + location.search)
  location.assign(url)
}

/**
 * Takes what a sign-in led back with off the address, and the person back to where they were. @returns what ends the
 * sign-in with the key of this browser, which the way back could not show; null where the page was not led back to. [SEC23]
 */
export function takeSignInAnswer(): ((client: Client) => Promise<void>) | null {
  const brought = location.hash.slice(1)
  if (!brought.startsWith(MCP_SIGN_IN_FRAGMENT)) return null
  history.replaceState(null, '', sessionStorage.getItem(CAME_FROM) ?? `${BASE_PATH}/`)
  sessionStorage.removeItem(CAME_FROM)
  const answer = new URLSearchParams(brought.slice(MCP_SIGN_IN_FRAGMENT.length))
  return async (client) => {
    const { value, problem } = await answerOf(client.endMcpSignIn(answer))
    if (problem === null) tell(say('tool-panel.signed-in-with', { server: value }), null)
    else tellProblem(problem)
  }
}
