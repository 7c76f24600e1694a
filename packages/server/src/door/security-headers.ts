import type { Network } from './network.ts'

/** What a page of ours may load and do: its own files and its own socket, nothing from elsewhere. [SEC3] */
const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  // Our own documents refuse every frame but one: that which generated pages are written into. [PREV11]
  "frame-src 'self'",
].join('; ')

/** Sent with every answer. `previews`: what else may be shown in frames; null for nothing. [PREV1] */
export function securityHeaders({ publicUrl }: Network, previews: string | null): Readonly<Record<string, string>> {
  return {
    'content-security-policy': previews === null ? CONTENT_POLICY : `${CONTENT_POLICY} ${previews}`,
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(self), payment=(), usb=()',
    ...(publicUrl?.protocol === 'https:' ? { 'strict-transport-security': 'max-age=31536000' } : {}),
  }
}
