import type { FastifyInstance } from 'fastify';
import { hasZodFastifySchemaValidationErrors } from 'fastify-type-provider-zod';
import { z } from 'zod';

const none = z.strictObject({});

/** Refuses unknown parameters: if one were ignored, the API would answer another question than the client asked. */
export function refuseUnknownParameters(server: FastifyInstance): void {
  server.addHook('onRoute', (route) => {
    if (!/^\/(api\/|health$)/.test(route.url)) return;
    route.schema = { querystring: none, ...route.schema };
  });
}

/** A sentence that says what is wrong with the parameters; null for any other error. */
export function describeParameters(error: unknown): string | null {
  if (!hasZodFastifySchemaValidationErrors(error)) return null;
  const [issue] = error.validation;
  const name = issue?.instancePath.replace(/^\//, '') ?? '';
  const about = name === '' ? '' : `${name}: `;
  return `These parameters cannot be answered: ${about}${issue?.message ?? 'not valid'}. /docs lists the parameters that exist.`;
}
