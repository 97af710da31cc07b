import { type Command, Option } from 'commander';
import { dayOrMoment as day } from '../../config/values.js';
import type { AddModes } from '../mode.js';
import { valueOf } from '../options.js';

const ofCohort = `
The figures of the cohort are those of your own analysis. A second document holds only the figures
of the cohort. It is open to the people whom the last analysis served; others get a 403.`;

const secrets = `
Secrets are taken from the environment or the settings, never from the command line:
  APP_USER_SECURITY_KEY  security_key
  APP_USER_CLIENT_ID     credentials.client_id
  APP_USER_CLIENT_SECRET credentials.client_secret
  APP_USER_EMAIL         account.email
  APP_USER_PASSWORD      account.password
The last two, for a Community Solid Server, serve to issue client credentials, which are
then kept in the settings. On a terminal, the mode asks for missing values.

Exit codes: 0 done, 1 nothing came of it, 2 settings or command line, 3 keys,
4 the storage server or the service.`;
const analyser = new Option(
  '--analyser <web_id>',
  'the WebID of the Analyser (APP_USER_ANALYSER; analyser.web_id)',
);
const chart = '--chart <file>';
const dates = new Option(
  '--dates <order>',
  'how the CSV writes dates if not as 2026-08-19',
).choices(['dmy', 'mdy']);

function withOwnPod(command: Command): Command {
  return command
    .option('--settings <file>', 'your settings; default ./app.yaml (APP_USER_SETTINGS)')
    .option('--web-id <web_id>', 'your WebID (APP_USER_WEB_ID; web_id)')
    .addHelpText('after', secrets);
}

/** The modes of the app's side: each works with the Pod of the person who runs it. */
export const app: AddModes = (program, run) => {
  const group = program
    .command('app')
    .commandsGroup('Modes:')
    .helpCommand(true)
    .description("The app's side: your own Pod, its readings and its results.");
  const mode = (name: string, description: string) => group.command(name).description(description);
  withOwnPod(mode('init', 'Make your own Pod ready for encrypted readings.')).action(
    run(async () => (await import('../app/own-readings.js')).initialise),
  );
  withOwnPod(
    mode('add', 'Record a reading in your Pod, or import a CSV file.')
      .option('--systolic <mmHg>', 'upper value')
      .option('--diastolic <mmHg>', 'lower value')
      .option('--heart-rate <bpm>', 'heart rate')
      .option('--notes <text>', 'anything worth knowing')
      .option('--time <timestamp>', 'when it was measured, by the clock on the wall; default: now')
      .option('--csv <file>', 'import timestamp,systolic,diastolic,heart_rate,notes')
      .addOption(dates)
      .option('--ignore-columns', 'pass over columns of the CSV that mean nothing here'),
  ).action(run(async () => (await import('../app/record-readings.js')).add));
  withOwnPod(
    mode('remove', 'Remove readings from your Pod, and take their shares back.')
      .option('--time <timestamp>', 'the reading of this time, as app list shows it')
      .option('--all', 'all readings')
      .addOption(analyser)
      .option('--yes', 'remove without asking'),
  ).action(run(async () => (await import('../app/own-readings.js')).remove));
  withOwnPod(mode('list', 'Show the readings in your Pod.')).action(
    run(async () => (await import('../app/own-readings.js')).list),
  );
  withOwnPod(
    mode('analyse', 'Share your readings, have them analysed and collect the result.')
      .addOption(analyser)
      .option(
        '--grpc <host:port>',
        'where the service is (APP_USER_GRPC; grpc.host and grpc.port, default 127.0.0.1:50051)',
      )
      .option('--yes', 'share without asking')
      .option('--share-again', 'also share again readings that are shared already')
      .option(chart, 'save the chart as a PNG file'),
  ).action(run(async () => (await import('../app/own-shares.js')).roundTrip));
  withOwnPod(
    mode('result', 'Show the last result that was published for you.')
      .addOption(analyser)
      .option(chart, 'save the chart as a PNG file')
      .option('--json', 'print the document as it was published')
      .option('--fhir', 'print the average in HL7 FHIR R4')
      .addHelpText('after', ofCohort),
  ).action(run(async () => (await import('../app/own-result.js')).showResult));
  withOwnPod(
    mode('report <file>', 'Save the last result as one page of HTML to print, for a doctor.')
      .addOption(analyser)
      .option('--name <text>', 'the name on the page; default: your WebID')
      .option('--from <day>', 'list the readings from this day on', valueOf('--from', day))
      .option('--until <day>', 'list the readings until this day', valueOf('--until', day)),
  ).action(run(async () => (await import('../app/own-result.js')).saveReport));
  withOwnPod(
    mode('revoke', 'Take back everything that you share with the Analyser.').addOption(analyser),
  ).action(run(async () => (await import('../app/own-shares.js')).revoke));
};
