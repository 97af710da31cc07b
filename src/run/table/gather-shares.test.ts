import { expect, test } from 'vitest';
import { keyedDigest, rememberedPod } from '../../../test/support/table.js';
import { configSchema } from '../../config/schema.js';
import { emptyMemory, type Memory } from '../../memory/memory.js';
import { isFor } from '../../pod/outcome.js';
import { shareRules } from './classify-share.js';
import { gatherShares, type InboxOrReason, leavesOut, namesUnanalysed } from './gather-shares.js';
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

const nothing: InboxOrReason = { shares: [], notInView: [], warnings: [] };
const gather = (inbox: InboxOrReason, memory: Memory = emptyMemory()) =>
  gatherShares(inbox, memory, rules, keyedDigest);
const given = (address: string, keys: Buffer[] = []) => ({ url: address, keys, modes: [] });

/** The row of the one file that is shared. */
const rowOf = (memory: Memory) =>
  gather({ ...nothing, shares: [given(url, [planted, known])] }, memory).pods[0]?.rows.get(url);
const keysOf = (memory: Memory) => rowOf(memory)?.keys;

/** What was remembered when the file was read. */
const pods = new Map([[root, rememberedPod(root, [[url, known]])]]);

test('[3.2] the remembered key comes first, so that planted keys cannot use up what may be tried', () => {
  expect(keysOf(emptyMemory())).toEqual([planted, known]);
  expect(keysOf({ ...emptyMemory(), pods })).toEqual([known, planted]);
});

test('[3.1][3.2] a remembered folder is looked into with its key first, whether an entry names it or not', () => {
  const folder = url.replace(/[^/]*$/, '');
  const memory = {
    ...emptyMemory(),
    pods: new Map([
      [
        root,
        rememberedPod(root, [
          [folder, known],
          [url, null],
        ]),
      ],
    ]),
  };
  for (const shares of [[], [given(folder, [planted])]]) {
    const [pod] = gather({ ...nothing, shares }, memory).pods;
    const keys = shares.length === 0 ? [known] : [known, planted];
    expect(pod?.folders.get(folder)).toMatchObject({
      known: { key: known },
      keys,
      mayHaveEntry: shares.length > 0,
    });
    expect(pod?.rows.get(url)).toMatchObject({ keys: [], known: { ownKey: null } });
  }
});

test('[3.1] a remembered folder of plain files is looked into without an entry as well', () => {
  const folder = url.replace(/[^/]*$/, '');
  const pods = new Map([
    [
      root,
      rememberedPod(root, [
        [folder, null],
        [url, null],
      ]),
    ],
  ]);
  const [pod] = gather({ ...nothing, shares: [] }, { ...emptyMemory(), pods }).pods;
  expect(pod?.folders.get(folder)).toMatchObject({ known: { key: null }, mayHaveEntry: false });
  expect(pod?.rows.get(url)?.folder).toBe(pod?.folders.get(folder));
});

test('[T6] a key that another Pod had first is not tried, whatever is remembered; the own one is', () => {
  const [anna, ben] = [root, `${server}ben/`].map((one) => keyedDigest('root', one));
  const claimedBy = (owner = '') => new Map([[keyedDigest('key', planted), [owner]]]);
  const row = rowOf({ ...emptyMemory(), claims: claimedBy(ben) });
  expect(row).toMatchObject({ keys: [known], otherHolders: new Set([ben]) });
  expect(keysOf({ ...emptyMemory(), claims: claimedBy(ben), pods })).toEqual([known]);
  expect(keysOf({ ...emptyMemory(), claims: claimedBy(anna) })).toEqual([planted, known]);
});

test('keys of which none is another’s are not copied: strangers choose how many there are', () => {
  const [shared, empty] = [given(url, [planted, known]), given(`${url}.enc.ttl`)];
  const [pod] = gather({ ...nothing, shares: [shared, empty] }).pods;
  for (const { url, keys } of [shared, empty]) expect(pod?.rows.get(url)?.keys).toBe(keys);
});

test('[3.4] the table has Pods, folders and files by address, each file in its folder; what is named like no file of readings is not asked for', () => {
  const folder = `${root}app/data/blood_pressure/`;
  const [inner, csv, ofBen] = [`${folder}in/`, `${folder}x.csv`, url.replace('anna', 'ben')];
  const shares = [ofBen, csv, url, inner, folder].map((one) => given(one));
  const { pods } = gather({ ...nothing, shares });
  expect(pods.map(({ owner }) => owner.root)).toEqual([root, `${server}ben/`]);
  expect(pods.map(({ folders }) => [...folders.keys()])).toEqual([[folder, inner], []]);
  const folders = pods.flatMap((pod) => [...pod.folders.values()]);
  expect(folders.map(({ known }) => known)).toEqual([null, null]);
  expect(pods.map(({ unnamed }) => unnamed)).toEqual([[], []]);
  const rows = pods.flatMap((pod) => [...pod.rows.values()]);
  expect(rows.map((row) => [row.url, row.folder?.url])).toEqual([
    [url, folder],
    [csv, folder],
    [ofBen, undefined],
  ]);
  expect(rows.map(({ outcome }) => isFor(outcome, 'other name'))).toEqual(
    rows.map((row) => row.url === csv),
  );
});

test('[3.1] what was read before is read again without an entry; an unread inbox may hold one', () => {
  const memory = { ...emptyMemory(), pods };
  for (const unread of [undefined, 'It is spoilt.']) {
    const isUnread = unread !== undefined;
    const gathered = gather({ ...nothing, ...(isUnread && { unread }) }, memory);
    const [pod] = gathered.pods;
    const row = pod?.rows.get(url);
    expect(row && isNamed(row)).toBe(isUnread);
    expect(pod?.mayShareMore).toBe(isUnread);
    const warned = expect.stringMatching(/^The inbox could not be read\. .*: It is spoilt\./);
    expect(gathered.warnings).toEqual(isUnread ? [warned] : []);
  }
});

test('an entry names its file; what is remembered and not in view any more gets no row', () => {
  const [row] = gather({ ...nothing, shares: [given(url)] }).pods.flatMap((pod) => [
    ...pod.rows.values(),
  ]);
  expect(row).toMatchObject({ mayHaveEntry: true, known: null });
  const ofOtherApp = url.replace('/app/', '/other-app/');
  const pod = rememberedPod(root, [[ofOtherApp, known]]);
  const memory = { ...emptyMemory(), pods: new Map([[root, pod]]) };
  expect(gather(nothing, memory).pods).toEqual([]);
});

test('what is shared where no data may lie is told with the reason, and what is no data is not', () => {
  const reasons = {
    [`${root}app/shared/data/blood_pressure/`]: 'anybody may write there, so it is nobody’s data',
    [`${server}a/b/app/data/blood_pressure/`]: 'it is not in the folder app/ of a Pod',
    'http://127.0.0.1:9/zoe/app/data/blood_pressure/':
      'it is not on the storage server nor on one of data.allowed_origins',
  };
  const notInView = [...Object.keys(reasons), `${url}.acl`, `${root}app/data/weight/w_1`];
  expect(gather({ ...nothing, notInView, warnings: ['Of the inbox.'] }).warnings).toEqual([
    'Of the inbox.',
    ...Object.entries(reasons).map(([address, why]) => `${address}: left out, because ${why}`),
  ]);
});

test('[3.3] whom the inbox names without anything to analyse, and whom the operator leaves out, is told by the root of the Pod', () => {
  const [anna, annabel] = [`${root}profile/card#me`, `${server}annabel/profile/card#me`];
  const notInView = [`${server}other/x`, `${root}app/notes.ttl`];
  expect([anna, annabel, 'nobody'].map((webId) => namesUnanalysed({ notInView }, webId))).toEqual([
    true,
    false,
    false,
  ]);
  const excluded = ['https://elsewhere.example/', root];
  expect([anna, annabel, 'nobody'].map((webId) => leavesOut({ excluded }, webId))).toEqual([
    true,
    false,
    false,
  ]);
  expect(leavesOut({ excluded: [server] }, annabel)).toBe(true);
});

test('[3.4] of what a folder lists that is data which the rules of the configuration take for it', () => {
  const { isData } = gather(nothing);
  expect([url, `${root}app/data/weight/w.enc.ttl`].map(isData)).toEqual([true, false]);
});
