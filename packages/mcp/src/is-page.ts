/** Whether a person may be led to an address that a server names: https, or http on this machine. [SEC5] */
export function isPage({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLocalHost(hostname))
}

/** Whether a host is this machine by its name. */
export function isLocalHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname)
}
