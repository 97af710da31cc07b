/** Hands on what a client sends so much later, and the answers at once: a longer way to the server. */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { z } from 'zod';
import { answerParent } from './child.js';

const settings = z.object({ targetPort: z.number(), delayMs: z.number() });

answerParent({
  async start(question) {
    const { targetPort, delayMs } = settings.parse(question);
    const server = createServer({ noDelay: true, allowHalfOpen: true }, (client) => {
      const target = connect({ port: targetPort, host: '127.0.0.1', noDelay: true });
      client.on('data', (chunk) => setTimeout(() => target.write(chunk), delayMs));
      client.on('end', () => setTimeout(() => target.end(), delayMs));
      target.pipe(client);
      client.on('error', () => target.destroy());
      target.on('error', () => client.destroy());
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    return { port: address !== null && typeof address === 'object' ? address.port : 0 };
  },
});
