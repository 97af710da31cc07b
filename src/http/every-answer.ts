import { createHash } from 'node:crypto';
import type { onRequestHookHandler, onSendHookHandler } from 'fastify';
import type { FastifySerializerCompiler } from 'fastify/types/schema.js';
import { serializerCompiler } from 'fastify-type-provider-zod';

/** For everything but /docs: no script, nothing from another origin, no inline styles, no frame around a page. */
const ordinaryPolicy = [
  "default-src 'none'",
  "style-src 'self'",
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ');

/** Swagger UI is a program. It also hides its set of icons with one style attribute. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-hashes' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * Sets the headers of every answer. A client may store an answer, but before it shows the answer again, it has to ask
 * here whether the answer still holds. Answers are stored apart for each compression, so `vary` names accept-encoding.
 */
export const setCommonHeaders: onRequestHookHandler = (_request, reply, done) => {
  reply.headers({
    'cache-control': 'no-cache',
    vary: 'accept-encoding',
    'content-security-policy': ordinaryPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  done();
};

/**
 * Gives each answer an ETag of its content, and answers 304 to a client that has this content already. The ETag is
 * weak, because the same content is sent compressed and plain. Streamed answers bring an ETag of their own. A date
 * would not do: dates have whole seconds, and a run document may be written twice within one second.
 */
export const answerConditionally: onSendHookHandler = (request, reply, payload, done) => {
  if (reply.statusCode !== 200 || !(typeof payload === 'string' || Buffer.isBuffer(payload))) {
    done();
    return;
  }
  const etag = `W/"${createHash('sha1').update(payload).digest('base64url')}"`;
  reply.header('etag', etag);
  if (isKnown(etag, request.headers['if-none-match'] ?? '')) {
    reply.code(304).removeHeader('content-type').removeHeader('content-length');
    done(null, null);
    return;
  }
  done();
};

function isKnown(etag: string, known: string): boolean {
  const opaque = (tag: string) => tag.trim().replace(/^W\//, '');
  return known.trim() === '*' || known.split(',').some((tag) => opaque(tag) === opaque(etag));
}

/**
 * Checks an answer by its schema and writes it as JSON. For the same object, such as the cached latest document, this
 * is done only once, because the document of a large cohort takes a tenth of a second.
 */
export const serialiseOnce: FastifySerializerCompiler<
  Parameters<typeof serializerCompiler>[0]['schema']
> = (route) => {
  const serialise = serializerCompiler(route);
  const texts = new WeakMap<object, string>();
  return (answer: unknown) => {
    if (typeof answer !== 'object' || answer === null) return serialise(answer);
    const text = texts.get(answer) ?? serialise(answer);
    texts.set(answer, text);
    return text;
  };
};
