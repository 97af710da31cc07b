import type { Http2Session } from 'node:http2';

/**
 * Ends a connection when the other side does not answer pings any more, or has not let us connect by the second one.
 * So the analysis for a caller who has vanished is stopped, and no call waits for a service that has. The gRPC
 * library's own pings cannot be used: they end a connection that is closing, although its call may still be answered
 * while the service shuts down.
 */
export function pingPeer(session: Http2Session, everyMs: number): void {
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
  const pings = setInterval(ping, everyMs).unref();
  session.once('close', () => clearInterval(pings));
}
