import type { onRequestHookHandler } from 'fastify';

/** Nothing from elsewhere, nothing inline, in no frame. */
const contentSecurityPolicy = (styles: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styles}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const ordinaryPolicy = contentSecurityPolicy('');

/** For /docs: Swagger UI hides its icon set by this one style attribute. */
export const docsPolicy = contentSecurityPolicy(
  " 'unsafe-hashes' 'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
);

/**
 * What every answer carries. It may be stored, for a 304, but is never shown without asking
 * here first; what is stored depends on the compression that was asked for.
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
