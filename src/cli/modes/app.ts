import { type Command, Option } from 'commander';
import type { AddModes } from '../mode.js';

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
const whichReading = new Option(
  '--time <timestamp>',
  'which reading: its time, as app list shows it',
).makeOptionMandatory();
const chart = '--chart <file>';
const yesRecord = new Option(
  '--yes',
  'record what looks like a slip without asking; it is told all the same',
);

/** Adds the options that every mode of the app takes, after the mode's own options. */
function withOwnPod(command: Command): Command {
  return command
    .option('--settings <file>', 'your settings; default ./app.yaml (APP_USER_SETTINGS)')
    .option('--web-id <web_id>', 'your WebID (APP_USER_WEB_ID; web_id)')
    .addHelpText('after', secrets);
}

function withMeasures(command: Command): Command {
  return command
    .option('--systolic <mmHg>', 'upper value')
    .option('--diastolic <mmHg>', 'lower value')
    .option('--heart-rate <bpm>', 'heart rate')
    .option('--notes <text>', 'anything worth knowing');
}

/** The modes of the app's side: each works with the Pod of the person who runs it. */
export const app: AddModes = (program, run) => {
  const group = program
    .command('app')
    .description("The app's side: your own Pod, its readings and its results.");
  const mode = (name: string, description: string) => group.command(name).description(description);
  withOwnPod(mode('init', 'Make your own Pod ready for encrypted readings.')).action(
    run(async () => (await import('../app/own-readings.js')).initialise),
  );
  withOwnPod(
    withMeasures(mode('add', 'Record a reading in your Pod, or import a CSV file.'))
      .option('--time <timestamp>', 'when it was measured; default: now')
      .option(
        '--csv <file>',
        'import: timestamp,systolic,diastolic,heart_rate,notes, or an export of Withings or Omron',
      )
      .addOption(yesRecord),
  ).action(run(async () => (await import('../app/record-readings.js')).add));
  withOwnPod(
    withMeasures(
      mode('edit', 'Correct the values of a reading in your Pod.').addOption(whichReading),
    ).addOption(yesRecord),
  ).action(run(async () => (await import('../app/own-readings.js')).edit));
  withOwnPod(
    mode('remove', 'Remove a reading from your Pod, and take its share back.')
      .addOption(whichReading)
      .addOption(analyser)
      .option('--yes', 'remove without asking'),
  ).action(run(async () => (await import('../app/own-readings.js')).remove));
  withOwnPod(mode('list', 'Show the readings in your Pod.').option('--json', 'print JSON')).action(
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
      .option(chart, 'where to save the chart', 'bp-average.png')
      .option('--json', 'print the result as it was published'),
  ).action(run(async () => (await import('../app/own-shares.js')).roundTrip));
  withOwnPod(
    mode('result', 'Show the last result that was published for you.')
      .addOption(analyser)
      .option(chart, 'save the chart as a PNG file')
      .option('--json', 'print the document as it was published')
      .option('--fhir', 'print the average in HL7 FHIR R4')
      .option('--report <file>', 'save one page of HTML to print, for a doctor')
      .option('--name <text>', 'the name on the report; default: your WebID')
      .option('--keep', 'keep it in your Pod, for app results')
      .addHelpText('after', ofCohort),
  ).action(run(async () => (await import('../app/own-result.js')).showResult));
  withOwnPod(
    mode('results', 'Show the results that you have kept.').option('--json', 'print the documents'),
  ).action(run(async () => (await import('../app/own-result.js')).listKept));
  withOwnPod(
    mode('revoke', 'Take back everything that you share with the Analyser.').addOption(analyser),
  ).action(run(async () => (await import('../app/own-shares.js')).revoke));
};
