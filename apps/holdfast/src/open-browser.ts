import { spawn } from 'node:child_process'

/** Opens an address in the user's browser, where there is one. Never fails: the address is printed anyway. */
export function openBrowser(url: string): void {
  const [command, ...args] = opener(url)
  if (command === undefined) return
  const child = spawn(command, args, { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}

function opener(url: string): readonly string[] {
  switch (process.platform) {
    case 'darwin':
      return ['open', url]
    case 'win32':
      return ['cmd', '/c', 'start', '""', url.replaceAll('&', '^&')]
    default:
      return ['xdg-open', url]
  }
}
