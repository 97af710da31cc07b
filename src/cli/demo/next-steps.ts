import { ownCommand, quote } from '../own-command.js';
import type { PreparedPerson } from './demo-people.js';

/** Commands that work unchanged in another terminal, from any folder. */
export function describeNextSteps(configFile: string, people: readonly PreparedPerson[]): string[] {
  const app = (mode: string, name: string, ...flags: string[]) => {
    const file = people.find((person) => person.name === name)?.settingsFile ?? '';
    return ownCommand('app', mode, '--settings', file, ...flags);
  };
  const bob = people.find(({ name }) => name === 'bob')?.ownPod.pod.webId ?? '';
  const analyseBob = app('analyse', 'bob', '--yes', '--chart', 'bob.png');
  const reading = ['--systolic', '128', '--diastolic', '82', '--heart-rate', '70'];
  const steps: [string, string][] = [
    ['analyse as another person', analyseBob],
    ['add a reading', app('add', 'bob', ...reading)],
    ['take everything back …', app('revoke', 'carla')],
    ['… and see that Pod drop out', analyseBob],
    ['the bare call, without sharing', ownCommand('analyse', bob)],
    ['cancel it from a third terminal', ownCommand('cancel', bob)],
    ['what the service is doing', ownCommand('status')],
    ['what is shared with it', ownCommand('check')],
  ];
  return [
    'Continue in another terminal:',
    '',
    `  export APP_ANALYSER_CONFIG=${quote(configFile)}`,
    ...steps.flatMap(([what, command]) => [`  # ${what}`, `  ${command}`]),
  ];
}
