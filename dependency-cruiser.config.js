/**
 * The arrows of docs/architecture.md, checked by a machine. A folder may import what its row
 * names, itself and packages; everything else is a design error.
 */
const mayImport = {
  base: [],
  ports: ['base'],
  generated: [],
  config: ['base', 'pod/addresses'],
  solid: ['base'],
  analysis: ['base'],
  documents: ['base'],
  pod: ['base', 'solid'],
  chart: ['base', 'analysis'],
  store: ['base', 'documents'],
  memory: ['base', 'solid', 'pod', 'analysis'],
  run: ['base', 'solid', 'pod', 'analysis', 'documents', 'chart', 'store', 'memory', 'config'],
  workers: [
    'base',
    'solid',
    'pod',
    'run',
    'service/connector',
    'service/readiness',
    'config/schema',
  ],
  service: ['base', 'solid', 'store', 'run', 'workers', 'config/schema'],
  grpc: [
    'base',
    'ports',
    'service/analysis-queue',
    'service/foreign-addresses',
    'generated',
    'config/schema',
    'pod/addresses',
    'run/analysis-report',
    'run/observer',
    'solid/login/web-id-verifier',
  ],
  pages: ['base', 'analysis', 'documents', 'store', 'chart/axes', 'chart/chart-words', 'chart/svg'],
  http: ['base', 'ports', 'store', 'documents', 'pages', 'config/schema'],
  'web-proxy': ['base', 'ports', 'config/schema'],
  metrics: ['base', 'ports', 'run/observer'],
  'embedded-server': ['base'],
  client: ['base', 'ports', 'solid', 'pod', 'analysis', 'documents', 'generated'],
};

/** Everything outside tests; a test beside its file may import what it needs. */
const source = (folder) => ({ path: `^src/${folder}/`, pathNot: '\\.test\\.ts$' });

/** `config/schema` names one file of a folder, whatever its ending. */
const pathOf = (target) => (target.includes('/') ? `^src/${target}\\.ts$` : `^src/${target}/`);

const directions = Object.entries(mayImport).map(([folder, targets]) => ({
  name: `direction-${folder}`,
  comment: `src/${folder} may import: ${targets.join(', ') || 'nothing of ours'}.`,
  severity: 'error',
  from: source(folder),
  to: { path: '^src/', pathNot: [`^src/${folder}/`, ...targets.map(pathOf)] },
}));

/** The rules of the configuration know how an address is spelled; these files import nothing else of ours. */
const addresses = 'pod/addresses\\.ts$';

export default {
  forbidden: [
    ...directions,
    {
      name: 'unknown-folder',
      comment: 'A new folder below src/ gets a row in dependency-cruiser.config.js first.',
      severity: 'error',
      from: { path: '^src/', pathNot: [`^src/(${Object.keys(mayImport).join('|')}|cli)/`] },
      to: {},
    },
    {
      name: 'doors-take-types-only',
      comment:
        'The doors are handed their configuration and what they work with; they take only its types, and the words of a reply.',
      severity: 'error',
      from: { path: '^src/(grpc|http|web-proxy)/', pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/(config|run|solid|service/analysis-queue)',
        pathNot: '^src/run/analysis-report\\.ts$',
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'http-holds-no-keys',
      comment:
        'The HTTP API must not reach a Pod, an analysis or a secret, by any number of steps.',
      severity: 'error',
      from: source('http'),
      to: {
        path: `^src/(?!${addresses})(solid|pod|memory|run|service|workers|client|grpc|generated|cli|config/(?!(schema|values)\\.ts$))`,
        reachable: true,
      },
    },
    {
      name: 'web-proxy-holds-no-keys',
      comment:
        'What stands in front of the gRPC port for browsers passes on bytes: it must reach no login, no Pod and no secret, by any number of steps.',
      severity: 'error',
      from: source('web-proxy'),
      to: {
        path: `^src/(?!(base|ports|web-proxy)/|config/(schema|values)\\.ts$|${addresses})`,
        reachable: true,
      },
    },
    {
      name: 'source-stands-alone',
      comment: 'What is shipped needs nothing that is not.',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(test|bench|scripts)/|\\.test\\.ts$' },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'unresolvable',
      severity: 'error',
      from: { path: '^(src|test|bench|scripts)/' },
      // Declarations without code behind them cannot be found here; tsc checks those.
      to: { couldNotResolve: true, pathNot: '^fastify/types/' },
    },
    {
      name: 'no-development-packages',
      comment: 'The shipped package is installed without development packages.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['\\.test\\.ts$', '^src/embedded-server/'] },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'embedded-server-on-demand',
      comment: 'Only the embedded server may load the storage server, and only when it runs.',
      severity: 'error',
      from: source('embedded-server'),
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'], dynamic: false },
    },
    {
      name: 'watching-on-demand',
      comment: 'Metrics are loaded only when they are asked for.',
      severity: 'error',
      from: source('cli'),
      to: {
        path: '^src/metrics/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'workers-on-demand',
      comment: 'On one machine nothing of Redis is loaded.',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/workers/', '\\.test\\.ts$'] },
      to: {
        path: '^src/workers/|node_modules/(bullmq|ioredis)/',
        dynamic: false,
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'embedded-server-only',
      severity: 'error',
      from: source('embedded-server'),
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only'],
        pathNot: 'node_modules/@solid/community-server/',
      },
    },
    {
      name: 'undeclared-package',
      severity: 'error',
      from: { path: '^(src|test|bench|scripts)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown', 'undetermined'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '^(dist|var|coverage)/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'],
    },
  },
};
