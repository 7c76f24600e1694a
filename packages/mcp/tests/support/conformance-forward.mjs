// What the referee starts as the client: it hands the server's address on to the client of the test, and ends as that did.
import process from 'node:process'

const [port, url] = process.argv.slice(2)
const body = JSON.stringify({ url, context: process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}' })
const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body })
console.log(await answer.text())
process.exitCode = answer.ok ? 0 : 1
