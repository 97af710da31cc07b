import { expect, test } from 'vitest';
import {
  type GivenRow,
  listed,
  podOf,
  readWith,
  rememberedPod,
} from '../../../test/support/table.js';
import { AnalyserError, ServerError, type ServerFailure } from '../../base/errors.js';
import { notAsked, notRead } from '../../pod/outcome.js';
import type { SolidAnswer, SolidClient, SolidRequest } from '../../solid/solid-client.js';
import type { Pod } from '../table/row.js';
import { Deadline } from './deadline.js';
import { hasAnswered, knockAt, noteSilence } from './silent-pods.js';

const origin = 'https://pods.example';
const failed = (failure: ServerFailure) => new ServerError(failure, 'It failed.', { url: origin });

/** What the server seems to say; `reply` may end the time. */
async function knock(reply: (url: string, end: () => void) => SolidAnswer) {
  const asked: (SolidRequest & { url: string })[] = [];
  const deadline = new Deadline(Number.POSITIVE_INFINITY, new AbortController().signal);
  const client: SolidClient = {
    request: async (url, how = {}) => {
      asked.push({ url, ...how });
      return await Promise.resolve().then(() => reply(url, () => deadline.end()));
    },
    close: () => Promise.resolve(),
  };
  const sign = await knockAt(origin, client, { deadline, patienceMs: 7 });
  return { sign, asked, signal: deadline.signal };
}

test.each<[string, ServerFailure, string]>([
  ['no connection', 'unreachable', 'silence'],
  ['no answer in time', 'slow', 'silence'],
  ['that it has too much to do', 'unavailable', 'answer'],
  ['a page that is not wanted', 'too-large', 'answer'],
])('[4.5] a server that gives %s: %s', async (_, failure, expected) => {
  const { sign } = await knock(() => {
    throw failed(failure);
  });
  expect(sign).toBe(expected);
});

test('[4.5] a failure that is not that of a server is no silence', async () => {
  const { sign } = await knock(() => {
    throw new AnalyserError('malformed', 'It is no HTTP.');
  });
  expect(sign).toBe('answer');
});

test('a page of any status is an answer, and is asked for apart from what takes a place', async () => {
  const { sign, asked, signal } = await knock((url) => ({
    url,
    status: 404,
    headers: {},
    body: Buffer.alloc(0),
  }));
  expect(sign).toBe('answer');
  expect(asked).toEqual([{ url: `${origin}/`, signal, patienceMs: 7, isApart: true, maxBytes: 0 }]);
});

test('[4.5] what was cut says nothing', async () => {
  const { sign } = await knock((_, end) => {
    end();
    throw failed('slow');
  });
  expect(sign).toBe('cut');
});

const root = `${origin}/anna/`;
const known = (nth: number) => `${root}app/known${nth}.enc.ttl`;
const fresh = `${root}app/new.enc.ttl`;
const folder = `${root}app/`;
const silence = notRead('silence', 'the storage server gave no answer');
const otherName = notRead('other name', 'it has another name');

/** Two files are known. */
const podWith = (rows: Readonly<Record<string, GivenRow>>): Pod =>
  podOf(root, rows, {
    pods: new Map([
      [
        root,
        rememberedPod(root, [
          [known(1), null],
          [known(2), null],
        ]),
      ],
    ]),
  });

test.each<[string, Record<string, GivenRow>, boolean]>([
  ['was not asked', { [known(1)]: { outcome: notAsked } }, false],
  ['was silent', { [known(1)]: { outcome: silence } }, false],
  ['has names that are not asked for', { [known(1)]: { outcome: otherName } }, false],
  ['gave a file', { [known(1)]: { outcome: readWith(null) } }, true],
  ['refused a file', { [known(1)]: { outcome: notRead('refused', 'no') } }, true],
  ['listed a folder', { [folder]: { outcome: listed }, [known(1)]: { outcome: silence } }, true],
  ['shares nothing', {}, false],
])('whether a Pod that %s has answered', (_, rows, expected) => {
  expect(hasAnswered(podWith(rows))).toBe(expected);
});

const [asked, unasked] = [{ outcome: silence }, { outcome: notAsked }];

test.each<[string, boolean, Record<string, GivenRow>, boolean]>([
  ['of which a known file was silent', false, { [known(1)]: asked, [known(2)]: unasked }, true],
  ['of which nothing known was asked', false, { [known(2)]: unasked }, false],
  ['of which a new file alone was silent', false, { [fresh]: asked, [known(2)]: unasked }, false],
  ['of a silent server', true, { [known(2)]: unasked }, true],
  [
    'of which something gave an answer',
    false,
    { [fresh]: { outcome: readWith(null) }, [known(1)]: asked, [known(2)]: unasked },
    false,
  ],
  [
    'of a silent server, of which something gave an answer',
    true,
    { [known(1)]: { outcome: readWith(null) }, [known(2)]: unasked },
    false,
  ],
])('a Pod %s: its unsent files are silent', (_, isServerSilent, rows, expected) => {
  const pod = podWith(rows);
  noteSilence([pod], isServerSilent);
  const because = expected ? 'silence' : 'not asked';
  expect(pod.rows.get(known(2))?.outcome).toMatchObject({ because });
});

test('[5.13] silence changes nothing of new files, nor what was said of others, and is told of each Pod alone', () => {
  const silent = podWith({
    [known(1)]: { outcome: silence },
    [known(2)]: { outcome: otherName },
    [fresh]: unasked,
  });
  const other = podWith({ [known(1)]: unasked });
  const last = podWith({ [known(1)]: asked, [known(2)]: unasked });
  noteSilence([silent, other, last], false);
  const reasonsOf = ({ rows }: Pod) => [...rows.values()].map(({ outcome }) => outcome);
  // The first keeps its own reason.
  expect(reasonsOf(silent)).toEqual([silence, otherName, notAsked]);
  expect(reasonsOf(other)).toEqual([notAsked]);
  expect(reasonsOf(last)).toMatchObject([silence, { because: 'silence' }]);
});
