import {
  constants,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Server as NetServer } from 'node:net';

/** Room for a token and a proof, which usually take two thousand bytes. */
const mostBytes = 8_192;
/** The bytes that HTTP/2 counts for each header in addition to its name and value. */
const ofEach = 32;

/**
 * Keeps calls from a server's listeners if their metadata is beyond these bounds, because the library copies metadata
 * many times before it looks at the token or the size. HTTP/2 itself enforces the bounds only after the caller has
 * acknowledged them. Until then, a few compressed bytes can expand to a thousand times as many. So a caller who goes
 * beyond the bounds and has not acknowledged them loses the connection.
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
      // Proxies acknowledge the bounds, so this never ends a proxy's connection, which carries calls of others too.
      if (call.session?.pendingSettingsAck === true) call.session.destroy();
      else call.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    },
  );
}

/**
 * In `metadata`, names and values alternate. The library splits each value at its commas, so every comma costs room.
 */
function isWithinBounds(metadata: readonly string[]): boolean {
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
