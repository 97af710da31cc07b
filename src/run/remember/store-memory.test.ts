import { expect, test } from 'vitest';
import { concludedOf, fileWith, podOfFiles, rootOf } from '../../../test/support/concluded.js';
import { emptyMemory } from '../../memory/memory.js';
import type { FoundMemory } from '../../memory/stored-memory.js';
import type { Conclusion } from '../conclude/conclude.js';
import { storeMemory } from './store-memory.js';

const before: FoundMemory = {
  memory: emptyMemory(),
  version: 0,
  isStored: false,
  text: null,
  keyedDigest: String,
  replaces: { digest: null, etag: null },
  unopened: null,
  notices: [],
};

/** What an analysis of three Pods concluded; a fourth has taken everything back. */
function concluded(sections: object = {}, memory = emptyMemory()): Conclusion {
  const pods = ['anna', 'ben', 'cleo'].map((name) => podOfFiles(name, [fileWith()]));
  const { conclusion } = concludedOf(pods, { sections, memory }).results;
  return { ...conclusion, charted: new Set(['anna', 'ben', 'cleo']), withdrawn: ['dora'] };
}

/** Stores the memory, or fails for a reason. Returns the outcome, and what was done, in order. */
async function remembered(conclusion: Conclusion, failure: string | null, isEnabled = true) {
  const done: string[] = [];
  const outcome = await storeMemory(before, conclusion, {
    access: {
      keep: async (found, memory) => {
        done.push(found === before && memory === conclusion.memory ? 'kept' : 'something else');
        return await Promise.resolve(failure);
      },
    },
    charts: {
      keepOnly: async (podIds) =>
        void done.push(await Promise.resolve(`only ${[...podIds].join()}`)),
      remove: async (podId) => done.push(await Promise.resolve(`not ${podId}`)) > 0,
    },
    config: { sharing: { enabled: isEnabled } },
    writingEnds: new AbortController().signal,
  });
  return { ...outcome, done };
}

const systolicOf = ({ told }: Conclusion) =>
  told.disclose([rootOf('anna')]).average_of_averages.systolic;

test('[5.11] what was stored is told, and only charts of those who are remembered stay', async () => {
  const conclusion = concluded();
  const outcome = await remembered(conclusion, null);
  expect(outcome.done).toEqual(['kept', 'only anna,ben,cleo']);
  expect(outcome).toMatchObject({ isStored: true, notices: [] });
  expect(outcome.conclusion).toBe(conclusion);
  expect(systolicOf(outcome.conclusion)).toBe(120);
});

test('[6.2][5.11] what could not be stored gives nobody a figure of the cohort, and only charts of those who left go', async () => {
  const outcome = await remembered(concluded(), 'the server is down');
  expect(outcome.done).toEqual(['kept', 'not dora']);
  expect(outcome.isStored).toBe(false);
  expect(systolicOf(outcome.conclusion)).toBeNull();
  expect(outcome.conclusion.told.withheld).toEqual({
    reason: 'the server is down',
    until_confirmed: false,
  });
  expect(outcome.notices).toEqual([
    'What this analysis found out was not remembered, so no figures of the cohort were sent: the server is down.',
  ]);
});

test('[5.11] a trial run, which remembers nothing, leaves all charts', async () => {
  const { done } = await remembered({ ...concluded(), charted: null }, null, false);
  expect(done).toEqual(['kept']);
});

test('that figures are withheld is for the operator, unless nothing is sent anyway', async () => {
  const conclusion = concluded({}, { ...emptyMemory(), withheld: 'It is gone' });
  const said = [
    'Cohort figures are withheld: It is gone. Find out why, then run the mode `release` with --confirm to send out figures again.',
  ];
  expect((await remembered(conclusion, null)).notices).toEqual(said);
  expect((await remembered(conclusion, null, false)).notices).toEqual([]);
});
