import { readdir, readFile } from 'node:fs/promises';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { renderSchemas } from '../scripts/document-schemas.js';
import { sampleResults } from './support/results-sample.js';

const folder = new URL('../docs/schemas/', import.meta.url);

test('docs/schemas is what "npm run generate:schemas" writes', async () => {
  const committed = await readdir(folder);
  const expected = renderSchemas();
  expect(committed.sort()).toEqual([...expected.keys()].sort());
  for (const [file, text] of expected) {
    expect(await readFile(new URL(file, folder), 'utf8'), file).toBe(text);
  }
});

test('every schema is a strict JSON Schema, and a results document fits its own', () => {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true });
  addFormats.default(ajv);
  for (const [file, text] of renderSchemas()) {
    ajv.addSchema(z.record(z.string(), z.unknown()).parse(JSON.parse(text)), file);
  }
  for (const file of renderSchemas().keys()) expect(ajv.getSchema(file)).toBeTypeOf('function');
  const validate = ajv.getSchema('results.schema.json');
  const document = sampleResults('20260819T091500Z', ['pods.example.org-alice']);
  expect(validate?.(document)).toBe(true);
  expect(validate?.({ ...document, extra: 1 })).toBe(false);
  expect(validate?.({ ...document, warnings: undefined })).toBe(false);
});
