import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { readCures } from './warnings/read-cures.js';

const troubleshooting = new URL('../docs/troubleshooting.md', import.meta.url);

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  // Relative, so that the page also works below a path of a reverse proxy.
  base: './',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  define: { CURES: JSON.stringify(readCures(readFileSync(troubleshooting, 'utf8'))) },
  build: {
    outDir: fileURLToPath(new URL('../dist/web', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    // The Content-Security-Policy allows neither data: addresses nor inline scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    license: { fileName: 'licences/scripts.md' },
  },
});
