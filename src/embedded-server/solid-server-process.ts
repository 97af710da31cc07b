/** This process ends with the channel to its parent, so that a parent that is killed leaves no server behind. */
import { Server } from 'node:net';

const [config = '', port, baseUrl, rootFilePath] = process.argv.slice(2);

process.once('disconnect', () => process.exit(0));
// Ctrl-C reaches the whole process group, but the parent decides when the server stops.
process.on('SIGINT', () => undefined);

const { AppRunner } = await import('@solid/community-server');
const listening = listenLocally();
const app = await new AppRunner().create({
  config,
  shorthand: {
    port: Number(port),
    baseUrl,
    rootFilePath,
    loggingLevel: 'error',
    showStackTrace: false,
  },
});
await app.start();
await listening;
process.send?.('ready');

/** Makes the server listen on loopback only, for which it has no setting. */
function listenLocally(): Promise<void> {
  const listen: unknown = Reflect.get(Server.prototype, 'listen');
  if (typeof listen !== 'function') return Promise.resolve();
  return new Promise((resolve) => {
    const listenHere = new Proxy(listen, {
      apply(target, server: Server, args: unknown[]): unknown {
        if (typeof args[0] !== 'number') return Reflect.apply(target, server, args);
        server.once('listening', resolve);
        return Reflect.apply(target, server, [args[0], '127.0.0.1']);
      },
    });
    Reflect.set(Server.prototype, 'listen', listenHere);
  });
}
