import { expect, test } from 'vitest';
import {
  concludedOf,
  fileWith,
  podOfFiles,
  rootOf,
  webIdOf,
} from '../../../test/support/concluded.js';
import { notAsked, notRead } from '../../pod/outcome.js';
import { groupCallers } from './group-callers.js';

const whole = podOfFiles('whole', [fileWith()]);
const part = podOfFiles('part', [fileWith(), notAsked]);
const silent = podOfFiles('silent', [notRead('silence', '')]);
const { contributors } = concludedOf([whole, part, silent]).results.conclusion;
const recipients = [{ owner: whole.owner }];
/** What two Pods share is not in view; the operator leaves one of them out. */
const gathered = {
  notInView: ['elsewhere', 'left-out'].map((name) => `${rootOf(name)}app/notes.ttl`),
  excluded: [rootOf('left-out')],
};
const grouped = (...webIds: (string | null)[]) =>
  groupCallers(
    webIds.map((webId, at) => ({ id: String(at), runId: '', webId })),
    contributors,
    gathered,
  );

test('[5.3][7.3][8.3] calls of one WebID go together; who was read in part has no result, and only who is known has a run', () => {
  const names = ['whole', 'part', 'silent', 'whole', 'elsewhere', 'left-out', 'nobody'];
  expect(grouped(...names.map(webIdOf))).toMatchObject([
    { calls: [{ id: '0' }, { id: '3' }], recipients, isRecorded: true, unfinished: null },
    { calls: [{ id: '1' }], recipients: [], isRecorded: false, unfinished: { owner: part.owner } },
    { calls: [{ id: '2' }], recipients: [], isRecorded: true, unfinished: null },
    { calls: [{ id: '4' }], recipients: [], isRecorded: true, unfinished: null },
    { calls: [{ id: '5' }], recipients: [], isRecorded: false, unfinished: null },
    { calls: [{ id: '6' }], recipients: [], isRecorded: false, unfinished: null },
  ]);
});

test('run-once has a result for everybody who was read in full', () => {
  expect(grouped(null)).toMatchObject([
    { webId: null, recipients, isRecorded: true, unfinished: null },
  ]);
});
