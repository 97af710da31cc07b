import type { ServerHttp2Session } from 'node:http2';

/** A caller that has vanished is noticed within a minute, and its analysis stopped. */
const EVERY_MS = 25_000;

/**
 * Ends a connection when the caller does not answer pings any more. The library's own pings cannot be used: they end a
 * connection that is closing, although its call may still be answered while the service shuts down.
 */
export function pingCaller(session: ServerHttp2Session): void {
  let isAnswered = true;
  const ping = () => {
    if (!isAnswered) {
      session.destroy();
      return;
    }
    // Node sends no ping on a connection that is closing; its last replies are under way.
    if (session.closed) return;
    isAnswered = false;
    session.ping((error) => {
      isAnswered = error === null;
    });
  };
  const pings = setInterval(ping, EVERY_MS).unref();
  session.once('close', () => clearInterval(pings));
}
