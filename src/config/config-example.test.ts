import { readFileSync } from 'node:fs';
import { chmod, copyFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { listKeys } from '../../test/support/config-keys.js';
import { newFolder } from '../../test/support/temp-folder.js';
import { loadEffectiveConfig } from './load-config.js';

const example = new URL('../../config.example.yaml', import.meta.url);
const folder = await newFolder();

test('config.example.yaml shows every key, each with a comment behind it or above it, in 150 lines', () => {
  const text = readFileSync(example, 'utf8');
  const lines = text.split('\n');
  const counter = new LineCounter();
  const { contents } = parseDocument(text, { lineCounter: counter });
  const shown = listWritten(contents).map(({ path, offset }) => {
    const { line } = counter.linePos(offset);
    const [above = '', own = ''] = lines.slice(line - 2);
    return { key: path.join('.'), documented: /^\s*#/.test(above) || / # /.test(own) };
  });
  expect(shown.map(({ key }) => key).sort()).toEqual(
    listKeys()
      .map((path) => path.join('.'))
      .sort(),
  );
  expect(shown.filter(({ documented }) => !documented)).toEqual([]);
  expect(lines.length - 1).toBeLessThanOrEqual(150);
});

test('the values of config.example.yaml are the defaults', async () => {
  const path = join(folder, 'config.yaml');
  await copyFile(example, path);
  await chmod(path, 0o600);
  const shown = await loadEffectiveConfig({ env: {}, cwd: folder });
  await writeFile(
    path,
    'analyser: {web_id: "https://pods.example.org/analyser/profile/card#me"}\n',
  );
  expect(shown).toEqual(await loadEffectiveConfig({ env: {}, cwd: folder }));
});

function listWritten(node: unknown, path: string[] = []): { path: string[]; offset: number }[] {
  if (!isMap(node)) return [];
  return node.items.flatMap(({ key, value }) => {
    if (!isScalar(key)) return [];
    const here = [...path, String(key.value)];
    const offset = key.range?.[0] ?? 0;
    return isMap(value) ? listWritten(value, here) : [{ path: here, offset }];
  });
}
