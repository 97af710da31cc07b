import type { Flag, ModeEntry } from './mode.js';

/** For every mode that reads the configuration. */
const config: Flag = [
  '--config <file>',
  'the configuration; default APP_ANALYSER_CONFIG or ./config.yaml',
];
const proof = `
To a service with grpc.require_web_id_proof the proof goes along when APP_USER_CLIENT_ID and
APP_USER_CLIENT_SECRET hold client credentials of that WebID.`;
const replyAsJson: Flag = ['--json', 'print the reply as JSON'];

/** For every mode that opens somebody's own Pod. */
const ownPod: readonly Flag[] = [
  ['--settings <file>', 'your settings; default ./app.yaml (APP_USER_SETTINGS)'],
  ['--web-id <web_id>', 'your WebID (APP_USER_WEB_ID; web_id)'],
];
const ownPodNotes = `
Secrets are taken from the environment or the settings, never from the command line:
  APP_USER_SECURITY_KEY  security_key
  APP_USER_CLIENT_ID     credentials.client_id
  APP_USER_CLIENT_SECRET credentials.client_secret
  APP_USER_EMAIL         account.email
  APP_USER_PASSWORD      account.password
The last two, for a Community Solid Server, serve to issue client credentials, which are
then kept in the settings. What is missing is asked for on a terminal.

Exit codes: 0 done, 1 nothing came of it, 2 settings or command line, 3 keys,
4 the storage server or the service.`;
const analyser: Flag = [
  '--analyser <web_id>',
  'the WebID of the Analyser (APP_USER_ANALYSER; analyser.web_id)',
];
const whichReading: Flag = ['--time <timestamp>', 'which reading: its time, as app list shows it'];
const measures: readonly Flag[] = [
  ['--systolic <mmHg>', 'upper value'],
  ['--diastolic <mmHg>', 'lower value'],
  ['--heart-rate <bpm>', 'heart rate'],
  ['--notes <text>', 'anything worth knowing'],
];

/** A mode for the own Pod, with the flags and the notes that all of these have. */
function appMode(entry: ModeEntry): ModeEntry {
  return { ...entry, flags: [...entry.flags, ...ownPod], notes: ownPodNotes };
}

/** Summaries for modes that share their first word. */
export const groups: Readonly<Record<string, string>> = {
  app: "The app's side: your own Pod, its readings and its results.",
};

/** Every mode, in the order of the help text. */
export const modes: readonly ModeEntry[] = [
  {
    name: 'demo',
    summary: 'Show everything on this machine: a Solid server, Pods, an analysis.',
    flags: [
      ['--once', 'end when everything was shown, instead of staying up until Ctrl-C'],
      ['--solid-port <port>', 'of the Solid server; default: a free one'],
      ['--grpc-port <port>', 'of the gRPC service; default: a free one'],
      ['--http-port <port>', 'of the HTTP API and dashboard; default: a free one'],
    ],
    load: () => import('./modes/demo.js'),
  },
  {
    name: 'setup',
    summary: 'Prepare an Analyser Pod on a server and write its configuration.',
    flags: [
      ['--server <url>', 'the storage server, such as https://pods.example.org/'],
      ['--email <address>', 'of the account of the Analyser; created when there is none'],
      ['--pod <name>', 'the name of its Pod', 'analyser'],
      ['--app-dir <name>', 'the application folder in every Pod', 'app'],
      ['--config <file>', 'where to write; default APP_ANALYSER_CONFIG or ./config.yaml'],
      ['--secrets-file <file>', 'keep the secrets in this env file, apart from the configuration'],
      ['--no-token', 'let callers in without a token, on a network that is closed'],
      ['--replace', 'change a configuration that is for another Analyser'],
    ],
    notes: `
Secrets are taken from the environment, never from the command line:
  APP_SETUP_PASSWORD         the password of the account
  APP_ANALYSER_SECURITY_KEY  the security key of the Pod; without one, a new Pod gets one
                             that is shown once
  APP_ANALYSER_GRPC_TOKEN    the token of the callers; without one, a new configuration gets
                             one that is shown once
What is missing is asked for on a terminal. Every step looks before it acts: one that broke
off is started again in the same way.`,
    load: () => import('./modes/setup.js'),
  },
  {
    name: 'check',
    summary: 'Log in, unlock the Pod and show what is shared; writes nothing.',
    flags: [['--json', 'print the findings as JSON'], config],
    load: () => import('./modes/check.js'),
  },
  {
    name: 'grpc',
    summary: 'Serve the gRPC interface: Analyse, Cancel and Status.',
    flags: [config],
    load: () => import('./modes/grpc.js'),
  },
  {
    name: 'worker',
    summary: 'Read for the services that share their work over Redis.',
    flags: [config],
    load: () => import('./modes/worker.js'),
  },
  {
    name: 'serve',
    summary: 'Serve the read-only HTTP API and the dashboard.',
    flags: [config],
    load: () => import('./modes/serve.js'),
  },
  {
    name: 'run-once',
    summary: 'Run one analysis for every contributing Pod, then exit.',
    flags: [['--json', 'print the outcome as JSON'], config],
    load: () => import('./modes/run-once.js'),
  },
  {
    name: 'forget',
    argument: '[place]',
    summary: 'Forget what is remembered of a WebID, or below an address that ends in a slash.',
    flags: [
      ['--all', 'everything but what was released'],
      ['--erase', 'also remove results and charts of this WebID, and its name from stored runs'],
      config,
    ],
    load: () => import('./modes/forget.js'),
  },
  {
    name: 'release',
    summary: 'Show the release of cohort figures; --confirm after they were withheld.',
    flags: [
      ['--confirm', 'send out cohort figures again, after the memory was lost or put back'],
      config,
    ],
    load: () => import('./modes/release.js'),
  },
  {
    name: 'analyse',
    argument: '<web_id>',
    summary: 'Ask a running service to analyse for a WebID and print the reply.',
    flags: [
      ['--shared <count>', 'how many readings were shared, to learn what was left out'],
      ['--timeout <seconds>', 'how long to wait for the reply'],
      replyAsJson,
      config,
    ],
    notes: proof,
    load: () => import('./modes/analyse.js'),
  },
  {
    name: 'cancel',
    argument: '<web_id>',
    summary: 'Ask a running service to stop the analyses for a WebID.',
    flags: [replyAsJson, config],
    notes: proof,
    load: () => import('./modes/cancel.js'),
  },
  {
    name: 'status',
    summary: 'Ask a running service whether it is ready and what it has in hand.',
    flags: [replyAsJson, config],
    load: () => import('./modes/status.js'),
  },
  appMode({
    name: 'app init',
    summary: 'Make your own Pod ready for encrypted readings.',
    flags: [],
    load: () => import('./modes/app/init.js'),
  }),
  appMode({
    name: 'app add',
    summary: 'Record a reading in your Pod, or import a CSV file.',
    flags: [
      ...measures,
      ['--time <timestamp>', 'when it was measured; default: now'],
      ['--csv <file>', 'import: timestamp,systolic,diastolic,heart_rate,notes'],
      ['--yes', 'record what looks like a slip without asking'],
    ],
    load: () => import('./modes/app/add.js'),
  }),
  appMode({
    name: 'app edit',
    summary: 'Correct the values of a reading in your Pod.',
    required: [whichReading],
    flags: [...measures, ['--yes', 'record what looks like a slip without asking']],
    load: () => import('./modes/app/edit.js'),
  }),
  appMode({
    name: 'app remove',
    summary: 'Remove a reading from your Pod, and take its share back.',
    required: [whichReading],
    flags: [analyser, ['--yes', 'remove without asking']],
    load: () => import('./modes/app/remove.js'),
  }),
  appMode({
    name: 'app list',
    summary: 'Show the readings in your Pod.',
    flags: [['--json', 'print JSON']],
    load: () => import('./modes/app/list.js'),
  }),
  appMode({
    name: 'app analyse',
    summary: 'Share your readings, have them analysed and collect the result.',
    flags: [
      analyser,
      [
        '--grpc <host:port>',
        'where the service is (APP_USER_GRPC; grpc.host and grpc.port, default 127.0.0.1:50051)',
      ],
      ['--yes', 'share without asking'],
      ['--share-again', 'share anew what is shared already'],
      ['--chart <file>', 'where to save the chart', 'bp-average.png'],
      ['--json', 'print the result as it was published'],
    ],
    load: () => import('./modes/app/analyse.js'),
  }),
  appMode({
    name: 'app result',
    summary: 'Show the last result that was published for you.',
    flags: [
      analyser,
      ['--chart <file>', 'save the chart as a PNG file'],
      ['--json', 'print the document as it was published'],
      ['--fhir', 'print the average in HL7 FHIR R4'],
    ],
    load: () => import('./modes/app/result.js'),
  }),
  appMode({
    name: 'app revoke',
    summary: 'Take back everything that you share with the Analyser.',
    flags: [analyser],
    load: () => import('./modes/app/revoke.js'),
  }),
  {
    name: 'show-config',
    summary: 'Print the effective configuration; secrets only as set or missing.',
    flags: [['--json', 'print JSON instead of YAML'], config],
    load: () => import('./modes/show-config.js'),
  },
  {
    name: 'test',
    summary: 'Run the offline test suite: no server, no network.',
    flags: [],
    load: () => import('./modes/test.js'),
  },
];
