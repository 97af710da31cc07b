import swagger, { type SwaggerTransformObject } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { docsPolicy } from './every-answer.js';

/** Has to come before the routes: it describes what is registered after it. */
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
    transformObject: (document) => withoutInputs(jsonSchemaTransformObject(document)),
  });
  await server.register(swaggerUi, {
    routePrefix: '/docs',
    uiConfig: {
      // Otherwise the page asks a public service to judge the document.
      validatorUrl: null,
      supportedSubmitMethods: ['get', 'head'],
      docExpansion: 'list',
      // Without the bar for loading other documents.
      layout: 'BaseLayout',
    },
    uiHooks: {
      onRequest(_request, reply, next) {
        reply.header('content-security-policy', docsPolicy);
        next();
      },
    },
    theme: { title: 'Blood pressure analyser: HTTP API' },
  });
}

/** The transform adds each component a second time, as something that would be sent to the API. */
function withoutInputs(document: ReturnType<SwaggerTransformObject>): typeof document {
  if (!('components' in document)) return document;
  const schemas = Object.entries(document.components.schemas ?? {});
  const answers = schemas.filter(([name]) => !name.endsWith('Input'));
  return Object.assign(document, {
    components: { ...document.components, schemas: Object.fromEntries(answers) },
  });
}
