import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect } from 'vitest';
import {
  type CohortAverageDocument,
  cohortAverageSchema,
  type PodAverageDocument,
  podAverageSchema,
} from '../../src/documents/published-document.js';
import {
  type ResultsDocument,
  resultsDocumentSchema,
} from '../../src/documents/results-document.js';
import { podIdOfRoot } from '../../src/pod/owner.js';
import { readSharedWithMe } from '../../src/pod/sharing/read-shared-with-me.js';
import type { InitialisedPod } from './initialised-pod.js';

/** The published documents as their readers come by them, held against the committed schemas. */
export function ownResultAddress(
  { pod }: InitialisedPod,
  reader: InitialisedPod,
  resultsDir = 'analyser',
): string {
  return `${pod.root}app/data/${resultsDir}/${podIdOfRoot(reader.pod.root)}/bp-average.json.enc.ttl`;
}

export function cohortAddress({ pod }: InitialisedPod): string {
  return `${pod.root}app/data/analyser/cohort/bp-cohort-average.json.enc.ttl`;
}

export async function collectOwn(
  analyser: InitialisedPod,
  reader: InitialisedPod,
): Promise<PodAverageDocument> {
  return checkPodAverage(await open(reader, ownResultAddress(analyser, reader)));
}

export async function collectCohort(
  analyser: InitialisedPod,
  reader: InitialisedPod,
): Promise<CohortAverageDocument> {
  return checkCohortAverage(await open(reader, cohortAddress(analyser)));
}

export function checkPodAverage(document: unknown): PodAverageDocument {
  expectSchema('pod-average.schema.json', document);
  return podAverageSchema.parse(document);
}

export function checkCohortAverage(document: unknown): CohortAverageDocument {
  expectSchema('cohort-average.schema.json', document);
  return cohortAverageSchema.parse(document);
}

export function checkResults(document: unknown): ResultsDocument {
  expectSchema('results.schema.json', document);
  return resultsDocumentSchema.parse(document);
}

async function open(reader: InitialisedPod, url: string): Promise<unknown> {
  const { text } = await readSharedWithMe(reader.client, reader.pod, url);
  return JSON.parse(text);
}

const ajv = addFormats.default(new Ajv2020({ strict: true, allowUnionTypes: true }));
const validators = new Map<string, ValidateFunction>();

function expectSchema(file: string, document: unknown): void {
  const validate =
    validators.get(file) ??
    ajv.compile(
      JSON.parse(readFileSync(new URL(`../../docs/schemas/${file}`, import.meta.url), 'utf8')),
    );
  validators.set(file, validate);
  expect(validate(document), ajv.errorsText(validate.errors)).toBe(true);
}
