import fc from 'fast-check';
import { expect, test } from 'vitest';
import { givePodIds, type NamedPod } from './pod-ids.js';

const home = 'https://pods.example';
const digests = { ofId: (id: string) => `id ${id}`, ofRoot: (root: string) => `root ${root}` };
const pod = (root: string, spelling = root): NamedPod => ({ root, spelling });
const give = (pods: readonly NamedPod[], given: ReadonlyMap<string, string> = new Map()) =>
  givePodIds(pods, given, digests, home);

const nested = pod('https://other.example/people/x/');
const joined = pod('https://other.example/people-x/');

test('an id is made of the spelling', () => {
  const spelled = 'https://Pods.example/Anna/';
  const { ids } = give([pod('https://pods.example/Anna/', spelled)]);
  expect(ids.get(spelled)).toBe('Pods.example-Anna');
});

test('of two new Pods with one id the lower address has it, and both keep theirs', () => {
  const first = give([nested, joined]);
  expect(first.ids.get(joined.root)).toBe('other.example-people-x');
  expect(first.ids.get(nested.root)).toMatch(/^other\.example-people-x-[0-9a-f]{12}$/);
  for (const pods of [[nested], [joined, nested]]) {
    const again = give(pods, first.given);
    expect(again.ids.get(nested.root)).toBe(first.ids.get(nested.root));
    expect(again.given).toBe(first.given);
  }
});

test('of two new Pods the one on the Analyser’s own server has it', () => {
  const own = pod(`${home}/a-b/`);
  const other = pod('http://pods.example/a/b/');
  expect(give([other, own]).ids.get(own.root)).toBe('pods.example-a-b');
});

test('who came first keeps it, whoever comes and however low the address', () => {
  const { given } = give([nested]);
  const { ids } = give([joined, nested], given);
  expect(ids.get(nested.root)).toBe('other.example-people-x');
  expect(ids.get(joined.root)).toMatch(/^other\.example-people-x-[0-9a-f]{12}$/);
});

test('an id that ends in a digest is given once as well', () => {
  const second = give([nested, joined]).ids.get(nested.root) ?? '';
  const squatter = pod(`https://${second.replace('-', '/')}/`);
  const { given } = give([joined, squatter]);
  expect(give([squatter], given).ids.get(squatter.root)).toBe(second);
  const { ids } = give([joined, nested, squatter], given);
  expect(ids.get(nested.root)).not.toBe(second);
});

test('no id is ever that of two Pods', () => {
  const segment = fc.constantFrom('a', 'b', 'a-b', 'b-a');
  const roots = fc
    .array(fc.tuple(segment, fc.option(segment)), { minLength: 1, maxLength: 6 })
    .map((parts) => [
      ...new Set(parts.map(([one, two]) => `${home}/${one}/${two === null ? '' : `${two}/`}`)),
    ]);
  fc.assert(
    fc.property(fc.array(roots, { minLength: 1, maxLength: 5 }), (analyses) => {
      let given: ReadonlyMap<string, string> = new Map();
      const owner = new Map<string, string>();
      for (const analysis of analyses) {
        const result = give(
          analysis.map((root) => pod(root)),
          given,
        );
        ({ given } = result);
        for (const [root, id] of result.ids) {
          expect(owner.get(id) ?? root).toBe(root);
          owner.set(id, root);
        }
      }
    }),
  );
});
