import type { onRequestHookHandler } from 'fastify';

/** Nothing from elsewhere, nothing inline, in no frame: the dashboard and /docs need no more. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Answers may be stored, for a 304, but are never shown without asking here first. */
export const setSecurityHeaders: onRequestHookHandler = (_request, reply, done) => {
  reply.headers({
    'cache-control': 'no-cache',
    'content-security-policy': contentSecurityPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
  });
  done();
};
