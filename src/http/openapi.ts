import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
} from 'fastify-type-provider-zod';
import { componentNames } from './api-schemas.js';

/** Has to come before the routes: it describes what is registered after it. */
export async function describeApi(server: FastifyInstance): Promise<void> {
  const options = { schemaRegistry: componentNames };
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Blood pressure analyser',
        version: '1',
        description:
          'Read-only results of the blood pressure analyser. Systolic and diastolic are in mm Hg, heart rate in bpm; times carry their offset. Analyses are started and cancelled by gRPC only.',
      },
      tags: [
        { name: 'results', description: 'What the latest run found' },
        { name: 'runs', description: 'Every stored run' },
        { name: 'service', description: 'What the service is doing' },
      ],
    },
    transform: createJsonSchemaTransform(options),
    transformObject: createJsonSchemaTransformObject(options),
  });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      // Otherwise the page asks a public service to judge the document.
      validatorUrl: null,
      supportedSubmitMethods: ['get', 'head'],
      docExpansion: 'list',
    },
    theme: { title: 'Blood pressure analyser: HTTP API' },
  });
}
