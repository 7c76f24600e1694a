import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

/**
 * The script as one function expression, `(function (given) { … })`: it imports nothing and leaves no name behind.
 *
 * @throws when it cannot be built.
 */
export async function buildPreviewScript(): Promise<string> {
  const main = new URL(import.meta.url.endsWith('.ts') ? './inside/main.ts' : './inside/main.js', import.meta.url)
  const bundle = await rolldown({
    input: fileURLToPath(main),
    platform: 'browser',
    // What is bundled asks for it, and the browser has no such thing. It is told of the page's own kind of build by React.
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
  })
  try {
    const { output } = await bundle.generate({ format: 'iife', minify: true })
    return `(function (given) {${output[0].code}})`
  } finally {
    await bundle.close()
  }
}
