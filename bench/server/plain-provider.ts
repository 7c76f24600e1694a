/** The strict provider with one short answer, in a thread of its own; tells its address. */
import { parentPort } from 'node:worker_threads'
import { createStrictProvider } from '@holdfast/conformance'

const provider = await createStrictProvider({})
provider.otherwise({ parts: [{ type: 'text', text: 'A short answer of an agent.' }] })
parentPort?.postMessage(provider.urls.anthropic)
