import { expect, test } from 'vitest';
import { type GivenRow, podOf } from '../../../test/support/table.js';
import { emptyMemory } from '../../memory/memory.js';
import { type Because, notRead } from '../../pod/outcome.js';
import { type Fate, fatesOf } from './fate.js';

const root = 'https://pods.example/anna/';
const url = `${root}app/data/one.enc.ttl`;
const shares = new Map([[url, { url, key: Buffer.alloc(32, 7), missingOn: [] }]]);
const known = { ...emptyMemory(), pods: new Map([[root, { root, shares, sums: null }]]) };
const kindsOf = (row: GivenRow, memory = emptyMemory()) =>
  [...fatesOf(podOf(root, { [url]: row }, memory)).values()].map(({ kind }) => kind);

/** As docs/decisions.md says, in the table of what becomes of a share. */
test.each<[Fate['kind'], Because[]]>([
  ['ended', ['refused', 'published']],
  ['replaced', ['no reading', 'plaintext', 'writable', 'unproven', 'too large']],
  ['missing', ['no key', 'unreadable', 'uncertain', 'other answer', 'silence']],
  ['missing because of others', ['foreign key', 'copied key', 'limit']],
  ['not asked', ['not asked']],
])('what was read before is %s, and what was not is nothing: %j', (kind, reasons) => {
  for (const because of reasons) {
    const row = { outcome: notRead(because, '') };
    expect([kindsOf(row, known), kindsOf(row)]).toEqual([[kind], ['never read']]);
  }
});
