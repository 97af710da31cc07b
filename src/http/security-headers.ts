import type { FastifyHelmetOptions } from '@fastify/helmet';

const pagePolicy = {
  defaultSrc: ["'none'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'"],
  fontSrc: ["'self'"],
  baseUri: ["'none'"],
  formAction: ["'none'"],
  frameAncestors: ["'none'"],
};

/** For everything but /docs: no script, nothing from another origin, no inline styles, no frame around a page. */
export const securityHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: { useDefaults: false, directives: pagePolicy },
  xFrameOptions: { action: 'deny' },
  // A proxy in front has TLS; without one there is none.
  strictTransportSecurity: false,
};

/** Swagger UI is a program. It also hides its set of icons with one style attribute. */
export const docsHeaders: FastifyHelmetOptions = {
  contentSecurityPolicy: {
    useDefaults: false,
    directives: {
      ...pagePolicy,
      scriptSrc: ["'self'"],
      styleSrc: [
        ...pagePolicy.styleSrc,
        "'unsafe-hashes'",
        "'sha256-RL3ie0nH+Lzz2YNqQN83mnU0J1ot4QL7b99vMdIX99w='",
      ],
      imgSrc: ["'self'", 'data:'],
      connectSrc: ["'self'"],
    },
  },
};
