import { extname } from 'node:path';

/** The file that the analysis thread runs; started from source, with the loader of TypeScript. */
export function threadEntry(): URL {
  const extension = extname(import.meta.url);
  const main = new URL(`./thread-main${extension}`, import.meta.url);
  if (extension !== '.ts') return main;
  // A new thread does not take the loader over.
  const loader = import.meta.resolve('tsx/esm/api');
  const code = [
    `import { register } from ${JSON.stringify(loader)};`,
    'register();',
    `await import(${JSON.stringify(main.href)});`,
  ];
  return new URL(`data:text/javascript,${encodeURIComponent(code.join('\n'))}`);
}
