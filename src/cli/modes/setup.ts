import { folderName } from '../../config/values.js';
import type { AddModes } from '../mode.js';
import { valueOf } from '../options.js';

export const setup: AddModes = (program, run) =>
  program
    .command('setup')
    .description('Prepare an Analyser Pod on a server and write its configuration.')
    .option('--server <url>', 'the storage server, such as https://pods.example.org/')
    .option('--email <address>', 'of the account of the Analyser; created when there is none')
    .option('--pod <name>', 'the name of its Pod', valueOf('--pod', folderName), 'analyser')
    .option(
      '--app-dir <name>',
      'the application folder in every Pod',
      valueOf('--app-dir', folderName),
      'app',
    )
    .option(
      '--minimum-cohort-pods <number>',
      'the smallest cohort whose averages are sent: sharing.minimum_cohort_pods',
    )
    .option(
      '--config <file>',
      'where to write; default APP_ANALYSER_CONFIG or ./config.yaml. The secrets go into an env file beside it',
    )
    .addHelpText(
      'after',
      `
Secrets are taken from the environment, never from the command line:
  APP_SETUP_PASSWORD         the password of the account
  APP_ANALYSER_SECURITY_KEY  the security key of the Pod; without one, one is made up
  APP_ANALYSER_GRPC_TOKEN    the token of the callers; without one, one is made up
On a terminal, the mode asks for missing values. Every step looks before it acts: if the mode
broke off, start it again in the same way. Where there is a configuration, it changes nothing.`,
    )
    .action(run(async () => (await import('../setup/run-setup.js')).runSetup));

export const demo: AddModes = (program, run) =>
  program
    .command('demo')
    .description('Run a demonstration on this machine: a Solid server, Pods, an analysis.')
    .option('--once', 'end after the demonstration, instead of staying up until Ctrl-C')
    .action(run(async () => (await import('../demo/run-demo.js')).runDemo));
