import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { PreparedPerson } from './prepare-person.js';

const runScript = fileURLToPath(new URL('../../../run.sh', import.meta.url));

/** Commands that work unchanged in another terminal, from any folder. */
export function describeNextSteps(configFile: string, people: readonly PreparedPerson[]): string[] {
  const program = existsSync(runScript) ? quote(runScript) : 'bp-analyser';
  const settings = (name: string) => {
    const person = people.find((one) => one.name === name);
    return `--settings ${quote(person?.settingsFile ?? '')}`;
  };
  const bob = people.find(({ name }) => name === 'bob')?.ownPod.pod.webId ?? '';
  const steps: [string, string][] = [
    ['analyse as another person', `app analyse ${settings('bob')} --yes --chart bob.png`],
    ['add a reading', `app add ${settings('bob')} --systolic 128 --diastolic 82 --heart-rate 70`],
    ['take everything back …', `app revoke ${settings('carla')}`],
    ['… and see that Pod drop out', `app analyse ${settings('bob')} --yes --chart bob.png`],
    ['the bare call, without sharing', `analyse ${quote(bob)}`],
    ['cancel it from a third terminal', `cancel ${quote(bob)}`],
    ['what the service is doing', 'status'],
    ['what is shared with it', 'check'],
  ];
  return [
    'Continue in another terminal:',
    '',
    `  export APP_ANALYSER_CONFIG=${quote(configFile)}`,
    ...steps.flatMap(([what, command]) => [`  # ${what}`, `  ${program} ${command}`]),
  ];
}

function quote(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
