import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const placeholder = `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Blood pressure analyser</title></head>
<body>
<h1>Blood pressure analyser</h1>
<p>The read-only HTTP API is running. Its paths are described at <a href="docs">docs</a>.</p>
<p>The dashboard is not part of this installation.</p>
</body>
</html>
`;

/** Serves exactly the files that are in the folder now, each at its own path. Without index.html it serves a hint. */
export async function serveDashboard(server: FastifyInstance, webDir: string): Promise<void> {
  const index = await stat(join(webDir, 'index.html')).catch(() => null);
  if (index?.isFile() !== true) {
    server.get('/', { schema: { hide: true } }, async (_request, reply) =>
      reply.type('text/html; charset=utf-8').send(placeholder),
    );
    return;
  }
  await server.register(async (scope) => {
    scope.addHook('onSend', (request, reply, _payload, done) => {
      // Browsers may keep assets for a year, because the name of an asset changes with its content.
      if (reply.statusCode < 400 && request.url.startsWith('/assets/')) {
        reply.header('cache-control', 'public, max-age=31536000, immutable');
      }
      done();
    });
    await scope.register(fastifyStatic, {
      root: webDir,
      wildcard: false,
      serveDotFiles: false,
      decorateReply: false,
      cacheControl: false,
    });
  });
}
