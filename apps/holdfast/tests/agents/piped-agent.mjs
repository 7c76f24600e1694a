// An agent of the protocol that speaks MCP over pipes alone: at each prompt it calls the tool that the prompt names.
import { createInterface } from 'node:readline'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

let servers = []
let client = null

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
}

async function connect() {
  const [{ command, args, env }] = servers
  const given = Object.fromEntries(env.map(({ name, value }) => [name, value]))
  client = new Client({ name: 'piped', version: '1.0.0' })
  await client.connect(new StdioClientTransport({ command, args, env: { PATH: process.env.PATH, ...given } }))
}

async function answer(id, { sessionId, prompt }) {
  const words = prompt.map((block) => block.text ?? '').join('')
  const [, name, input] = [...words.matchAll(/CALL (\S+) (\{.*\})/g)].at(-1) ?? []
  let said
  try {
    if (client === null) await connect()
    const { tools } = await client.listTools()
    const result = await client.callTool({ name, arguments: JSON.parse(input) })
    said = `${tools.length} tools; ${result.isError ? 'failed' : 'done'}: ${result.content[0].text}`
  } catch (error) {
    said = `broken: ${error.message}`
  }
  const update = { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: said } }
  send({ method: 'session/update', params: { sessionId, update } })
  send({ id, result: { stopReason: 'end_turn' } })
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line)
  if (method === 'initialize') send({ id, result: { protocolVersion: 1, agentCapabilities: {} } })
  else if (method === 'session/new') {
    servers = params.mcpServers
    send({ id, result: { sessionId: 's1' } })
  } else if (method === 'session/prompt') void answer(id, params)
  else if (id !== undefined) send({ id, error: { code: -32601, message: `no ${method}` } })
})
process.stdin.on('end', () => process.exit(0))
