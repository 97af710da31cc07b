import { expect, test } from 'vitest';
import { digestOf } from '../../../test/support/table.js';
import { configSchema } from '../../config/schema.js';
import { emptyMemory, type Memory } from '../../memory/memory.js';
import { shareRules } from './classify-share.js';
import { gatherShares, type InboxOrReason } from './gather-shares.js';
import { isNamed } from './row.js';

const server = 'https://pods.example/';
const root = `${server}anna/`;
const url = `${root}app/data/blood_pressure/bp_1.json.enc.ttl`;
const [known, planted] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const rules = shareRules(
  configSchema.parse({
    analyser: { web_id: `${server}analyser/profile/card#me`, server_url: server },
  }),
  `${server}analyser/`,
);

/** The keys of the one file that is shared. */
function keysOf(memory: Memory): readonly Buffer[] | undefined {
  const inbox = {
    shares: [{ url, keys: [planted, known], modes: [] }],
    notInView: [],
    warnings: [],
  };
  const [pod] = gatherShares(inbox, memory, rules, digestOf).pods;
  return pod?.rows.get(url)?.keys;
}

/** What was remembered when the file was read. */
const shares = new Map([[url, { url, key: known, missingOn: [] }]]);
const pods = new Map([[root, { root, shares, sums: null }]]);

test('the remembered key comes first, so that planted keys cannot use up what may be tried', () => {
  expect(keysOf(emptyMemory())).toEqual([planted, known]);
  expect(keysOf({ ...emptyMemory(), pods })).toEqual([known, planted]);
});

test('a key that another Pod had first is not tried, whatever is remembered', () => {
  const claims = new Map([[digestOf('key', planted), [digestOf('root', `${server}ben/`)]]]);
  expect(keysOf({ ...emptyMemory(), claims })).toEqual([known]);
  expect(keysOf({ ...emptyMemory(), claims, pods })).toEqual([known]);
});

test('what was read before is read again without an entry; an unread inbox may hold one', () => {
  const memory = { ...emptyMemory(), pods };
  const nothing = { shares: [], notInView: [], warnings: [] };
  const isNamedAfter = (inbox: InboxOrReason) => {
    const row = gatherShares(inbox, memory, rules, digestOf).pods[0]?.rows.get(url);
    return row && isNamed(row);
  };
  expect(isNamedAfter(nothing)).toBe(false);
  expect(isNamedAfter({ ...nothing, unread: 'It is spoilt.' })).toBe(true);
});

test('what is shared where no data may lie is told with the reason, and what is no data is not', () => {
  const reasons = {
    [`${root}app/shared/data/blood_pressure/`]: 'anybody may write there, so it is nobody’s data',
    [`${server}a/b/app/data/blood_pressure/`]: 'it is not in the folder app/ of a Pod',
    'http://127.0.0.1:9/zoe/app/data/blood_pressure/':
      'it is not on the storage server nor on one of data.allowed_origins',
  };
  const notInView = [...Object.keys(reasons), `${url}.acl`, `${root}app/data/weight/w_1`];
  const inbox = { shares: [], notInView, warnings: ['Of the inbox.'] };
  expect(gatherShares(inbox, emptyMemory(), rules, digestOf).warnings).toEqual([
    'Of the inbox.',
    ...Object.entries(reasons).map(([address, why]) => `${address}: left out, because ${why}`),
  ]);
});
