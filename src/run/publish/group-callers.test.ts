import { expect, test } from 'vitest';
import { concludedOf, fileWith } from '../../../test/support/concluded.js';
import { type GivenRow, podOf } from '../../../test/support/table.js';
import { notAsked, notRead } from '../../pod/outcome.js';
import type { FileOutcome } from '../table/row.js';
import { groupCallers } from './group-callers.js';

const rootOf = (name: string) => `https://pods.example/${name}/`;
const webIdOf = (name: string) => `${rootOf(name)}profile/card#me`;
const podWith = (name: string, ...outcomes: FileOutcome[]) =>
  podOf(
    rootOf(name),
    Object.fromEntries(
      outcomes.map((outcome, at): [string, GivenRow] => [
        `${rootOf(name)}app/data/${at}.enc.ttl`,
        { outcome },
      ]),
    ),
  );
const read = podWith('read', fileWith());
const part = podWith('part', fileWith(), notAsked);
const silent = podWith('silent', notRead('silence', ''));
const { contributors } = concludedOf([read, part, silent]).results.conclusion;
/** What two Pods share is not in view; the operator leaves one of them out. */
const gathered = {
  notInView: ['elsewhere', 'left-out'].map((name) => `${rootOf(name)}app/notes.ttl`),
  excluded: [rootOf('left-out')],
};

function grouped(...webIds: (string | null)[]) {
  const calls = webIds.map((webId, at) => ({ id: `call ${at}`, runId: '', webId }));
  const { groups, unfinished } = groupCallers(calls, contributors, gathered);
  return {
    groups: groups.map((group) => ({
      calls: group.calls.map(({ id }) => id).join(),
      recipients: group.recipients.map(({ owner }) => owner.root),
      isRecorded: group.isRecorded,
    })),
    unfinished: unfinished.map(({ calls }) => calls.map(({ id }) => id).join()),
  };
}

test('calls of one WebID go together; who was read in part has no result, and only who is known has a run', () => {
  const names = ['read', 'part', 'silent', 'read', 'elsewhere', 'left-out', 'nobody'];
  expect(grouped(...names.map(webIdOf))).toEqual({
    groups: [
      { calls: 'call 0,call 3', recipients: [rootOf('read')], isRecorded: true },
      { calls: 'call 2', recipients: [], isRecorded: true },
      { calls: 'call 4', recipients: [], isRecorded: true },
      { calls: 'call 5', recipients: [], isRecorded: false },
      { calls: 'call 6', recipients: [], isRecorded: false },
    ],
    unfinished: ['call 1'],
  });
});

test('run-once has a result for everybody who was read in full', () => {
  const all = { calls: 'call 0', recipients: [rootOf('read')], isRecorded: true };
  expect(grouped(null)).toEqual({ groups: [all], unfinished: [] });
});
