import type { Clock, Records } from '@holdfast/conversation'
import type { Connection, McpServer, McpServers, OfferChange } from '@holdfast/mcp'
import { isSignInOpenTo } from '@holdfast/mcp/settings'
import type { McpServerRow } from '@holdfast/protocol'
import { type McpDirectory, RefusedError } from '@holdfast/server'
import { keepSwitch } from './kept-servers.ts'

/** What the server of the API shows and changes of the MCP servers. */
export function createMcpDirectory(
  servers: McpServers,
  kept: { readonly records: Records; readonly clock: Clock },
): McpDirectory {
  function named(name: string): McpServer {
    const server = servers.find(name)
    if (server) return server
    const known = servers.all.map(({ settings }) => settings.name).join(', ')
    throw new RefusedError(404, 'unknown-mcp-server', `There is no MCP server ${name}; there are: ${known || 'none'}`)
  }

  /** Asks a server; what it answers instead is said. */
  async function ask<Result>(name: string, question: (connection: Connection) => Promise<Result>): Promise<Result> {
    const connection = named(name).connection()
    if (!connection) throw new RefusedError(409, 'conflict', `The MCP server ${name} is not connected`)
    try {
      return await question(connection)
    } catch (error) {
      const why = error instanceof Error ? error.message.slice(0, 500) : 'no reason'
      throw new RefusedError(422, 'bad-request', `The MCP server ${name} did not give it: ${why}`)
    }
  }

  /** The session that began the sign-in with a server. */
  const begun = new Map<string, string>()

  return {
    list: () => servers.all.map(toRow),
    async switchTo(name, on) {
      const server = named(name)
      await keepSwitch(kept, name, on)
      server.setOn(on)
      return toRow(server)
    },
    restart(name) {
      const server = named(name)
      server.restart()
      return toRow(server)
    },
    async accept(name, offerHash) {
      const server = named(name)
      if (!(await server.acceptChanges(offerHash)))
        throw new RefusedError(409, 'conflict', `The MCP server ${name} offers something else by now; look at it again`)
      return toRow(server)
    },
    log: (name) => ({ lines: [...named(name).logs()] }),
    async material(name, signal) {
      const { listMaterial } = await import('@holdfast/mcp')
      const { resources, templates, prompts } = await ask(name, ({ client }) => listMaterial(client, signal))
      return {
        resources: [...resources],
        templates: [...templates],
        prompts: prompts.map((p) => ({ ...p, arguments: [...p.arguments] })),
      }
    },
    async resource(name, uri, signal) {
      const { readResource } = await import('@holdfast/mcp')
      return ask(name, ({ client }) => readResource(client, uri, signal))
    },
    async complete(name, asked, signal) {
      const { completeValue } = await import('@holdfast/mcp')
      return { values: [...(await ask(name, ({ client }) => completeValue(client, asked, signal)))] }
    },
    async prompt(name, asked, signal) {
      const { readPrompt } = await import('@holdfast/mcp')
      const { messages } = await ask(name, ({ client }) => readPrompt(client, asked, signal))
      return { messages: [...messages] }
    },
    isOpenTo: (name, role) => isSignInOpenTo(named(name).status(), { isAdmin: role === 'admin' }),
    beginSignIn(name, session) {
      const url = named(name).beginSignIn()
      if (url === null) throw new RefusedError(409, 'conflict', `The MCP server ${name} wants no sign-in now`)
      begun.set(name, session)
      return url
    },
    async endSignIn(callback, { session, name }) {
      const server = servers.all.find((one) => one.awaitsSignIn(callback))
      if (!server) return null
      const serverName = server.settings.name
      // One that nobody began in the page is the operator's, who read the address in the list.
      if ((begun.get(serverName) ?? 'operator') !== session)
        throw new RefusedError(
          403,
          'forbidden',
          `Another session began this sign-in with ${serverName}; begin your own from the tools of the page`,
        )
      begun.delete(serverName)
      return (await server.finishSignIn(callback, name)) ? serverName : null
    },
  }
}

function toRow(server: McpServer): McpServerRow {
  const { changes, refused, signIn, isSignInShared, ...status } = server.status()
  return {
    ...status,
    refused: [...refused],
    changes: changes.map(toChange),
    signIn: signIn && { by: signIn.by, isShared: isSignInShared },
  }
}

function toChange(change: OfferChange): McpServerRow['changes'][number] {
  switch (change.type) {
    case 'tool-added':
      return { type: change.type, name: change.name, before: null, after: change.after }
    case 'tool-changed':
      return { type: change.type, name: change.name, before: change.before, after: change.after }
    case 'tool-removed':
      return { type: change.type, name: change.name, before: change.before, after: null }
    case 'instructions-changed':
      return { type: change.type, name: null, before: change.before, after: change.after }
  }
}
