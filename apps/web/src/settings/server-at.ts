/** Servers of this kind, by the port at which they listen unless they are told otherwise. */
const SERVERS: Readonly<Record<string, { readonly id: string; readonly name: string }>> = {
  '11434': { id: 'ollama', name: 'Ollama' },
  '1234': { id: 'lm-studio', name: 'LM Studio' },
  '8080': { id: 'llama-cpp', name: 'llama.cpp' },
  '8000': { id: 'vllm', name: 'vLLM' },
}

/** What a server is called by its address: by its port where that tells it, else by its host, and on this computer by its port. */
export function serverAt(address: string): { readonly id: string; readonly name: string } {
  const url = URL.parse(address)
  const known = SERVERS[url?.port ?? '']
  if (known) return known
  const isHere = url !== null && /^(?:localhost$|127\.|\[::1\]$)/.test(url.hostname)
  return { id: isHere ? ['local', url.port].join('-') : idOf(address), name: hostOf(address) }
}

function idOf(address: string): string {
  return hostOf(address)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|(?<!-)-+$/g, '')
    .slice(0, 40)
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address
}
