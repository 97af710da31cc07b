import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderForEach } from '../../test/support/temp-folder.js';
import { claimStateDir, raiseMemoryNote, readMemoryNote } from './memory-note.js';

const analyser = 'https://pods.example/analyser/profile/card#me';
const folder = folderForEach();

test('[1.2] the newest version stays noted', async () => {
  const none = { state: 'read', version: 0, digest: '' };
  expect(await readMemoryNote(folder(), analyser)).toEqual(none);
  await raiseMemoryNote(folder(), analyser, { version: 5, digest: 'five' });
  await raiseMemoryNote(folder(), analyser, { version: 3, digest: 'three' });
  const newest = { state: 'read', version: 5, digest: 'five' };
  expect(await readMemoryNote(folder(), analyser)).toEqual(newest);
});

test('a folder belongs to the first Analyser that claims it, and another is told its name', async () => {
  const other = 'https://pods.example/other/profile/card#me';
  await claimStateDir(folder(), analyser);
  await claimStateDir(folder(), analyser);
  expect(await readMemoryNote(folder(), analyser)).toMatchObject({ state: 'read', version: 0 });
  await raiseMemoryNote(folder(), analyser, { version: 5, digest: 'five' });
  for (const refused of [
    () => claimStateDir(folder(), other),
    () => readMemoryNote(folder(), other),
    () => raiseMemoryNote(folder(), other, { version: 9, digest: 'nine' }),
  ]) {
    await expect(refused()).rejects.toMatchObject({
      kind: 'configuration',
      message: expect.stringMatching(
        `${folder()} belongs to the Analyser ${analyser}, not to ${other}`,
      ),
    });
  }
  expect(await readMemoryNote(folder(), analyser)).toMatchObject({ version: 5 });
});

test.each(['', '{"analyser_web_id":"x","version":-1}', 'null'])(
  '[1.2] a note that says %j is damaged until a memory is noted anew',
  async (text) => {
    const path = join(folder(), 'memory.json');
    await writeFile(path, text);
    expect(await readMemoryNote(folder(), analyser)).toEqual({ state: 'damaged', path });
    await raiseMemoryNote(folder(), analyser, { version: 2, digest: 'two' });
    expect(await readMemoryNote(folder(), analyser)).toMatchObject({ state: 'read', version: 2 });
    expect(await readFile(path, 'utf8')).not.toBe(text);
  },
);
