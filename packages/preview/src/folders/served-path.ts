/**
 * The path in a folder that an address means; null for one that is never served: what leads out, and every name that
 * begins with a dot, in whatever way it is written. [PREV6]
 */
export function servedPath(target: string): string | null {
  const [written = ''] = target.split(/[?#]/, 1)
  let path: string
  try {
    path = decodeURIComponent(written)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
  // biome-ignore lint/suspicious/noControlCharactersInRegex: no file that is served has one in its name
  if (!path.startsWith('/') || /[\\\u0000-\u001f\u007f]|%(?:2e|2f|5c|00)/i.test(path)) return null
  const names = path.split('/').filter((name) => name !== '')
  return names.some((name) => name.startsWith('.') || /^~|~$/.test(name)) ? null : names.join('/')
}
