import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';
import { atEnd } from './at-end.js';

/** Lets a server listen on this machine; answers the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** The same for a web server, which goes after the tests of the file; answers its origin. */
export async function serveUntilEnd(server: HttpServer): Promise<string> {
  const port = await listen(server);
  atEnd(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${port}`;
}
