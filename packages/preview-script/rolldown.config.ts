import { defineConfig } from 'rolldown'

/** One file of what runs in previewed pages; the compiler makes the rest of `dist`. */
export default defineConfig({
  input: `${import.meta.dirname}/src/inside/main.ts`,
  platform: 'browser',
  output: { file: `${import.meta.dirname}/dist/preview-script.js`, format: 'iife', minify: true },
})
