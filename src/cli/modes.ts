import type { ModeEntry } from './mode.js';

/** What the modes with the same first word have in common. */
export const groups: Readonly<Record<string, string>> = {
  app: "The app's side: your own Pod, its readings and its results.",
};

/** Every mode, in the order of the help text. */
export const modes: readonly ModeEntry[] = [
  {
    name: 'demo',
    summary: 'Show everything on this machine: a Solid server, Pods, an analysis.',
    load: () => import('./modes/demo.js'),
  },
  {
    name: 'setup',
    summary: 'Prepare an Analyser Pod on a server and write its configuration.',
    load: () => import('./modes/setup.js'),
  },
  {
    name: 'check',
    summary: 'Log in, unlock the Pod and show what is shared; writes nothing.',
    load: () => import('./modes/check.js'),
  },
  {
    name: 'grpc',
    summary: 'Serve the gRPC interface: Analyse, Cancel and Status.',
    load: () => import('./modes/grpc.js'),
  },
  {
    name: 'worker',
    summary: 'Read for the services that share their work over Redis.',
    load: () => import('./modes/worker.js'),
  },
  {
    name: 'serve',
    summary: 'Serve the read-only HTTP API and the dashboard.',
    load: () => import('./modes/serve.js'),
  },
  {
    name: 'run-once',
    summary: 'Run one analysis for every contributing Pod, then exit.',
    load: () => import('./modes/run-once.js'),
  },
  {
    name: 'analyse',
    usage: '<web_id>',
    summary: 'Ask a running service to analyse for a WebID and print the reply.',
    load: () => import('./modes/analyse.js'),
  },
  {
    name: 'cancel',
    usage: '<web_id>',
    summary: 'Ask a running service to stop the analyses for a WebID.',
    load: () => import('./modes/cancel.js'),
  },
  {
    name: 'status',
    summary: 'Ask a running service whether it is ready and what it has in hand.',
    load: () => import('./modes/status.js'),
  },
  {
    name: 'app init',
    summary: 'Make your own Pod ready for encrypted readings.',
    load: () => import('./modes/app/init.js'),
  },
  {
    name: 'app add',
    summary: 'Record a reading in your Pod, or import a CSV file.',
    load: () => import('./modes/app/add.js'),
  },
  {
    name: 'app list',
    summary: 'Show the readings in your Pod.',
    load: () => import('./modes/app/list.js'),
  },
  {
    name: 'app analyse',
    summary: 'Share your readings, have them analysed and collect the result.',
    load: () => import('./modes/app/analyse.js'),
  },
  {
    name: 'app result',
    summary: 'Show the last result that was published for you.',
    load: () => import('./modes/app/result.js'),
  },
  {
    name: 'app revoke',
    summary: 'Take back everything that you share with the Analyser.',
    load: () => import('./modes/app/revoke.js'),
  },
  {
    name: 'show-config',
    summary: 'Print the effective configuration; secrets only as set or missing.',
    load: () => import('./modes/show-config.js'),
  },
  {
    name: 'test',
    summary: 'Run the offline test suite: no server, no network.',
    load: () => import('./modes/test.js'),
  },
];
