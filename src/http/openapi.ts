import swagger, { type SwaggerTransformObject } from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance } from 'fastify';
import { jsonSchemaTransform, jsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { docsPolicy } from './common-headers.js';

/** Before the script has run, so that a dark room sees no white flash. */
const themeStyles = `:root { color-scheme: light dark; }
html.dark-mode body { background: inherit; }
@media (prefers-color-scheme: dark) { html:not(.dark-mode), html:not(.dark-mode) body { background: #1c2022; } }
`;

/** Swagger UI has dark colours, but only for a page that carries this class; and without a viewport its page does not fit a phone. */
const themeScript = `const viewport = document.createElement('meta');
viewport.name = 'viewport';
viewport.content = 'width=device-width, initial-scale=1';
document.head.append(viewport);
const dark = matchMedia('(prefers-color-scheme: dark)');
const follow = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', follow);
follow();
`;

/** Has to come before the routes: it describes what is registered after it. */
export async function describeApi(server: FastifyInstance): Promise<void> {
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
    theme: {
      title: 'Blood pressure analyser: HTTP API',
      css: [{ filename: 'theme.css', content: themeStyles }],
      js: [{ filename: 'theme.js', content: themeScript }],
    },
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
