import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform } from 'fastify-type-provider-zod';
import { docsHeaders } from './security-headers.js';

/** Has to be called before the routes are added, because it describes only routes that are added later. */
export async function describeApi(server: FastifyInstance): Promise<void> {
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Blood pressure analyser',
        version: '1',
        description:
          'Read-only results of the blood pressure analyser. Systolic and diastolic are in mm Hg, heart rate in bpm. Times carry their offset; those of readings are by the clock of the readings, with an offset only where their text has one. Analyses are started and cancelled by gRPC only.\n\n[Back to the dashboard](../)',
      },
      tags: [
        { name: 'results', description: 'What the latest run found' },
        { name: 'runs', description: 'Every stored run' },
        { name: 'service', description: 'What the service is doing' },
      ],
    },
    transform: jsonSchemaTransform,
  });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      // Without this, the page sends the document to a public service that validates it.
      validatorUrl: null,
      supportedSubmitMethods: ['get', 'head'],
      docExpansion: 'list',
      // This layout leaves out the bar that loads other documents.
      layout: 'BaseLayout',
    },
    uiHooks: {
      onRequest(_request, reply, next) {
        reply.helmet(docsHeaders);
        next();
      },
    },
    theme: { title: 'Blood pressure analyser: HTTP API' },
  });
}
