import { once } from 'node:events';
import type { Server } from 'node:net';

/** Lets a server listen on this machine; answers the port. */
export async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}
