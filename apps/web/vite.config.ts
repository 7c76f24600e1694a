import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

export default defineConfig({
  root: import.meta.dirname,
  // Files name each other by where they stand; the server names them in the page, under whatever path it has.
  base: './',
  plugins: [react()],
  resolve: { conditions: ['@holdfast/source', 'module', 'browser', 'development|production'] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // The page's content policy takes files of its own only: nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
    rolldownOptions: {
      output: {
        // Said in the file that holds zod: it is heard before any other file makes a schema.
        codeSplitting: { groups: [{ name: 'zod', test: /node_modules[\\/]zod[\\/]|schemas-without-eval/ }] },
      },
    },
  },
})
