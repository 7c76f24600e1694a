/** The services of browsers that messages may go through, unless the operator names others. */
export const USUAL_PUSH_SERVICES = [
  'https://fcm.googleapis.com',
  'https://*.push.services.mozilla.com',
  'https://*.push.apple.com',
  'https://*.notify.windows.com',
] as const

/** Whether an address is one of a service that messages may go to: nothing else of the net is reached by what a browser says. */
export function isPushService(services: readonly string[], address: string): boolean {
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '') return false
  return services.some((service) => {
    const [scheme = '', host = ''] = service.split('://')
    if (!host.startsWith('*.')) return url.origin === service
    return url.protocol === `${scheme}:` && url.port === '' && url.hostname.endsWith(host.slice(1))
  })
}
