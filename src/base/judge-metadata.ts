import {
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Server as NetServer } from 'node:net';

/** Room for a token and a proof, of which the usual ones take two thousand. */
const mostBytes = 8_192;
/** What HTTP/2 counts for each header beside its texts. */
const ofEach = 32;

/**
 * Lets the listeners that a server has for calls see those alone whose metadata is within bounds: the
 * library copies it many times over, before it knows the token or the size. HTTP/2 itself
 * holds only those to the bounds that have acknowledged them, and a few bytes can stand for a thousand times
 * as many, so whoever has not and goes beyond them is not listened to any more.
 */
export function judgeMetadataFirst(http2: NetServer): void {
  http2.on('session', (session: ServerHttp2Session) =>
    session.settings({ maxHeaderListSize: mostBytes }),
  );
  const listeners = http2.listeners('stream');
  http2.removeAllListeners('stream');
  http2.on(
    'stream',
    (call: ServerHttp2Stream, headers: IncomingHttpHeaders, flags: number, raw: string[]) => {
      if (isWithinBounds(raw)) {
        for (const listener of listeners)
          Reflect.apply(listener, http2, [call, headers, flags, raw]);
        return;
      }
      call.on('error', () => undefined);
      // A proxy, which has calls of others on the connection as well, acknowledges.
      if (call.session?.pendingSettingsAck === true) call.session.destroy();
      else call.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    },
  );
}

/** Names and values by turns; the library makes as many values of one as there are commas in it. */
export function isWithinBounds(metadata: readonly string[]): boolean {
  let room = mostBytes - (metadata.length / 2) * ofEach;
  for (const text of metadata) {
    room -= text.length;
    for (let at = text.indexOf(','); at >= 0 && room >= 0; at = text.indexOf(',', at + 1)) {
      room -= ofEach;
    }
    if (room < 0) return false;
  }
  return true;
}
