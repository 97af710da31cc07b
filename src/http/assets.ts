import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';

/** The path is right whether this file runs from dist or from src. */
const folder = new URL('../../web/', import.meta.url);

const sheets = ['base', 'layout', 'blocks', 'drawings', 'print'];

/** Serves what the pages are dressed in: the style sheets as one, the font and the icon. Nothing else of the disk. */
export async function serveAssets(server: FastifyInstance): Promise<void> {
  const read = (name: string) => readFile(new URL(name, folder));
  const styles = await Promise.all(sheets.map((name) => read(`styles/${name}.css`)));
  const assets = [
    { path: '/style.css', type: 'text/css; charset=utf-8', content: Buffer.concat(styles) },
    { path: '/inter.woff2', type: 'font/woff2', content: await read('inter.woff2') },
    { path: '/icon.svg', type: 'image/svg+xml', content: await read('icon.svg') },
  ];
  for (const { path, type, content } of assets) {
    server.get(path, { schema: { hide: true } }, (_request, reply) =>
      reply.type(type).send(content),
    );
  }
}
