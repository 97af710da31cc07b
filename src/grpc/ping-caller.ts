import type { ServerHttp2Session } from 'node:http2';

/**
 * Ends a connection when its caller does not answer pings any more. So the analysis for a caller who has vanished is
 * stopped. The library's own pings cannot be used. They end a connection that is closing, although its call may still
 * be answered while the service shuts down.
 */
export function pingCaller(session: ServerHttp2Session, everyMs: number): void {
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
