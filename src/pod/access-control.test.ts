import { beforeEach, describe, expect, test } from 'vitest';
import { clientFor } from '../../test/simulation/people/person.js';
import { type Interceptor, StorageServer } from '../../test/simulation/server/storage-server.js';
import { recordRequests } from '../../test/support/recording-client.js';
import { AccessRulesError } from '../base/errors.js';
import type { SolidClient } from '../solid/solid-client.js';
import {
  agentRule,
  changeAccess,
  changeRules,
  deleteWithRules,
  everyoneRule,
  isRestrictedToReaders,
  ownerRule,
  type Rule,
  readOwnRules,
  removeReader,
  restrictToReaders,
  writeAcl,
} from './access-control.js';

const base = 'https://pods.example/';
const webIdOf = (name: string) => `${base}${name}/profile/card#me`;
const [owner, bob, carol] = [webIdOf('alice'), webIdOf('bob'), webIdOf('carol')];
const root = `${base}alice/`;
const folder = `${root}app/data/`;
const inner = `${folder}bp/`;
const file = `${inner}bp_2026-01-01.json.enc.ttl`;
const group = `${base}club/members#all`;
const pod = { root, webId: owner, hasAccessLists: true };

let server: StorageServer;
let client: ReturnType<typeof recordRequests>;

beforeEach(() => {
  server = new StorageServer(base);
  server.createPod('alice');
  server.put(file, '<> <https://x.example/> "".\n');
  client = recordRequests(clientFor(server, owner));
});

const aclOf = (resource: string) => `${resource}.acl`;

/** The server in memory cannot work with such a list, so it is put in the place of the answer. */
function withDamagedList() {
  const intercept: Interceptor = ({ url }, serve) =>
    url === aclOf(file) ? { ...serve(), status: 200, body: Buffer.from('<html>') } : serve();
  return recordRequests(clientFor(server, owner, { intercept }));
}

/** Replaces the list of access of a resource. */
const list = (resource: string, ...rules: Rule[]) =>
  server.put(aclOf(resource), writeAcl(resource, rules));

/** What each may do, by what the server makes of the lists. */
const may = (resource: string) =>
  Object.fromEntries(
    Object.entries({ owner, bob, carol, everybody: null }).map(([name, agent]) => [
      name,
      [...server.modesOf(resource, agent)].filter((mode) => mode !== 'append').sort(),
    ]),
  );
const ALL = ['control', 'read', 'write'];
const nobodyElse = { owner: ALL, bob: [], carol: [], everybody: [] };

describe('access that is given to one agent', () => {
  const forItself = (rule: Rule): Rule => ({ ...rule, default: [] });
  test.each<[string, () => void, Partial<ReturnType<typeof may>>]>([
    ['is theirs alone, where the Pod is the owner’s alone', () => undefined, {}],
    [
      'leaves others what their folder gives them',
      () => list(inner, ownerRule(inner, owner), agentRule(inner, carol, ['read'])),
      { carol: ['read'] },
    ],
    [
      'leaves others what a folder further up gives them',
      () => list(folder, ownerRule(folder, owner), agentRule(folder, carol, ['read'])),
      { carol: ['read'] },
    ],
    [
      'gives nobody what their folder gives them for itself alone',
      () => list(inner, ownerRule(inner, owner), forItself(agentRule(inner, carol, ['read']))),
      {},
    ],
    [
      'gives nobody what a rule gives them below another folder',
      () => {
        const elsewhere = { ...agentRule(inner, carol, ['read']), default: [folder] };
        list(inner, ownerRule(inner, owner), elsewhere);
      },
      {},
    ],
    [
      'gives nobody what a folder gives them behind a nearer one',
      () => {
        list(folder, ownerRule(folder, owner), everyoneRule(folder, ['read']));
        list(inner, ownerRule(inner, owner));
      },
      {},
    ],
    [
      'gives nobody what their folder gives them, where the file has a list of its own',
      () => {
        list(inner, ownerRule(inner, owner), everyoneRule(inner, ['read']));
        list(file, ownerRule(file, owner), agentRule(file, carol, ['write']));
      },
      { carol: ['write'] },
    ],
  ])('[T31][T37] %s', async (_, prepare, others) => {
    prepare();
    await changeAccess(client, { resources: [file], pod, agent: bob, modes: ['read'] });
    expect(may(file)).toEqual({ ...nobodyElse, bob: ['read'], ...others });
    await changeAccess(client, { resources: [file], pod, agent: bob, modes: [] });
    expect(may(file)).toEqual({ ...nobodyElse, ...others });
  });

  test('is given to every resource, and what holds for all of them is read once', async () => {
    const resources = ['one', 'two', 'three'].map((name) => `${inner}${name}`);
    await changeAccess(client, { resources, pod, agent: bob, modes: ['read'] });
    for (const resource of resources) expect(may(resource)).toMatchObject({ bob: ['read'] });
    expect(client.requests.filter(({ url }) => url === `${root}.acl`)).toHaveLength(1);
  });

  test('[T37] ends at the Pod: what stands above it is neither asked for nor taken over', async () => {
    const other = { root: inner, webId: owner, hasAccessLists: true };
    list(folder, ownerRule(folder, owner), everyoneRule(folder, ['read']));
    await changeAccess(client, { resources: [file], pod: other, agent: bob, modes: ['read'] });
    expect(may(file)).toEqual({ ...nobodyElse, bob: ['read'] });
    expect(client.requests.map(({ url }) => url)).toEqual([file, inner, file].map(aclOf));
  });

  test('is not given on a server that would take the list for any document', async () => {
    const access = { resources: [file], agent: bob, modes: ['read'] } as const;
    const elsewhere = { ...pod, hasAccessLists: false };
    await expect(changeAccess(client, { ...access, pod: elsewhere })).rejects.toThrow(
      AccessRulesError,
    );
    expect(client.requests).toEqual([]);
  });
});

describe('a change for one agent', () => {
  const change = { resource: file, ownerWebId: owner, agent: bob, modes: [] };
  const full = ownerRule(file, owner);
  const ofGroup: Rule = { ...agentRule(file, bob, ['read']), agents: [], groups: [group] };
  const ofFolder: Rule = { ...full, accessTo: [], default: [inner] };
  test.each<[string, Rule[], Rule[]]>([
    ['leaves the rule of a group', [full, ofGroup], [full, ofGroup]],
    ['gives the owner control of the resource itself', [ofFolder], [ofFolder, full]],
  ])('%s', (_, before, after) => {
    expect(changeRules(before, change)).toEqual(after);
  });

  const acl = (name: string) => `http://www.w3.org/ns/auth/acl#${name}`;
  test.each([
    ['a file alone', file, []],
    ['a folder and what lies in it', inner, [inner]],
  ])('writes a rule for %s', (_, resource, inside) => {
    expect(agentRule(resource, bob, ['read'])).toEqual({
      agents: [bob],
      classes: [],
      groups: [],
      origins: [],
      accessTo: [resource],
      default: inside,
      modes: [acl('Read')],
    });
  });
});

describe('[7.1] a document with readers', () => {
  const access = { ownerWebId: owner, readers: [bob, carol] };
  const right = [
    ownerRule(file, owner),
    agentRule(file, bob, ['read']),
    agentRule(file, carol, ['read']),
  ];
  const [own, first, second] = [ownerRule(file, owner), right[1], right[2]];

  test('is open to them, and to nobody else, whatever its list was before', async () => {
    list(file, ownerRule(file, owner), everyoneRule(file, ['read', 'write']));
    await restrictToReaders(client, file, { ownerWebId: owner, readers: [bob] });
    expect(may(file)).toEqual({ ...nobodyElse, bob: ['read'] });
  });

  test.each<[string, boolean, readonly (Rule | undefined)[] | null]>([
    ['as it was written', true, right],
    ['in another order', true, [second, own, first]],
    [
      'with modes in another order',
      true,
      [{ ...own, modes: own.modes.toReversed() }, first, second],
    ],
    ['that is not there', false, null],
    ['without a reader', false, [own, first]],
    ['with one more reader', false, [...right, agentRule(file, webIdOf('dora'), ['read'])]],
    ['for everybody', false, [...right, everyoneRule(file, ['read'])]],
    [
      'with a group beside a reader',
      false,
      [own, { ...agentRule(file, bob, ['read']), groups: [group] }, second],
    ],
    [
      'with everybody beside the owner',
      false,
      [{ ...ownerRule(file, owner), classes: everyoneRule(file, []).classes }, first, second],
    ],
    ['with a reader who may write', false, [own, first, agentRule(file, carol, ['read', 'write'])]],
    ['of another document', false, [own, first, agentRule(`${file}2`, carol, ['read'])]],
  ])('is known to be restricted by a list %s: %s', (_, isRestricted, rules) => {
    const given = rules?.filter((rule) => rule !== undefined) ?? null;
    expect(isRestrictedToReaders(given, file, access)).toBe(isRestricted);
  });
});

describe('the own list of a resource', () => {
  test('is read as it stands, without what folders give', async () => {
    expect(await readOwnRules(client, file)).toBeNull();
    const rules = [ownerRule(file, owner), agentRule(file, bob, ['read'])];
    list(file, ...rules);
    expect(await readOwnRules(client, file)).toEqual(rules);
  });

  test('that is damaged is none, and of one that is refused nothing is known', async () => {
    expect(await readOwnRules(withDamagedList(), file)).toBeNull();
    const refused = readOwnRules(clientFor(server, bob), file);
    await expect(refused).rejects.toMatchObject({ failure: 'refused' });
  });
});

describe('[T31] who has access by name', () => {
  const remove = (from = client) => removeReader(from, { resource: file, pod, agent: bob });
  const changesBy = ({ requests }: typeof client) =>
    requests.filter(({ method }) => method !== 'GET');

  test('loses it, and nobody else does', async () => {
    list(
      file,
      ownerRule(file, owner),
      agentRule(file, bob, ['read']),
      agentRule(file, carol, ['read']),
    );
    expect(await remove()).toBe(true);
    expect(may(file)).toEqual({ ...nobodyElse, carol: ['read'] });
    // Nor does the list tell who had access once.
    expect(server.textOf(aclOf(file))).not.toContain(bob);
  });

  test.each<[string, () => typeof client]>([
    ['no list of its own', () => client],
    ['a list that is damaged', withDamagedList],
    [
      'a list of others',
      () => {
        list(file, ownerRule(file, owner), everyoneRule(file, ['read']));
        return client;
      },
    ],
  ])('is nobody where the document has %s, and nothing is written', async (_, prepare) => {
    list(inner, ownerRule(inner, owner), agentRule(inner, bob, ['read']));
    const asked = prepare();
    expect(await remove(asked)).toBe(false);
    expect(changesBy(asked)).toEqual([]);
  });
});

test.each([
  ['a document with its rules', [205, 205], true],
  ['rules that a server or an interrupted erasure has left behind', [404, 205], true],
  ['a document without rules of its own', [205, 404], true],
  ['nothing', [404, 404], false],
])('[8.3] %s goes from the Pod of the Analyser', async (_, statuses, wasThere) => {
  const asked: string[] = [];
  const client: SolidClient = {
    request(address, { method = 'GET' } = {}) {
      asked.push(`${method} ${address}`);
      const status = statuses[asked.length - 1] ?? 500;
      return Promise.resolve({ status, headers: {}, body: Buffer.alloc(0), url: address });
    },
    close: () => Promise.resolve(),
  };
  const url = 'https://pods.example.org/analyser/app/data/analyser/alice/bp-average.json.enc.ttl';
  expect(await deleteWithRules(client, url)).toBe(wasThere);
  expect(asked).toEqual([`DELETE ${url}`, `DELETE ${url}.acl`]);
});
