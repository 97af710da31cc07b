import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { onSendHookHandler } from 'fastify';

/**
 * Tags each whole answer by its content and answers 304 to a client that has it already.
 * Weak, because the same answer is sent compressed and plain. Answers that are streamed
 * bring their own.
 */
export const answerConditionally: onSendHookHandler = (request, reply, payload, done) => {
  if (reply.statusCode !== 200 || !(typeof payload === 'string' || Buffer.isBuffer(payload))) {
    done();
    return;
  }
  const etag = `W/"${createHash('sha1').update(payload).digest('base64url')}"`;
  const modified = Date.parse(String(reply.getHeader('last-modified')));
  reply.header('etag', etag);
  if (isFresh(request.headers, etag, modified)) {
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    done(null, null);
    return;
  }
  done();
};

/** RFC 9110, section 13.2.2: where there is a tag, the date does not count. It can be NaN. */
function isFresh(headers: IncomingHttpHeaders, etag: string, modified: number): boolean {
  const known = headers['if-none-match'];
  if (known !== undefined) {
    const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
    return known.trim() === '*' || known.split(',').some((tag) => opaque(tag) === opaque(etag));
  }
  return Date.parse(headers['if-modified-since'] ?? '') >= modified;
}
