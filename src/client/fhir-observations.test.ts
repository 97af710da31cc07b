import { describe, expect, test } from 'vitest';
import { sampleAverage } from '../../test/support/published-sample.js';
import { samplePod } from '../../test/support/results-sample.js';
import type { PodRecord } from '../documents/results-document.js';
import { fhirOfResult } from './fhir-observations.js';

const pod = samplePod('pods.example.org-alice');
const generatedAt = '2026-08-19T09:15:00.123+00:00';
const home: NonNullable<PodRecord['home']> = {
  from: '2026-08-13',
  to: '2026-08-18',
  days: 6,
  readings: 24,
  average: { systolic: 127.5, diastolic: 81.25, heart_rate: 64 },
  morning: null,
  evening: null,
  first_day_left_out: true,
};

const fhirOf = (own: PodRecord) => fhirOfResult(sampleAverage(own, generatedAt), own.web_id);
const resourcesOf = (own: PodRecord) => fhirOf(own).entry.map(({ resource }) => resource);

const coded = (system: string, code: string, display: string) => ({
  coding: [{ system, code, display }],
});
const loinc = (code: string, display: string) => coded('http://loinc.org', code, display);
const amount = (value: number, unit: string, code: string) => ({
  valueQuantity: { value, unit, system: 'http://unitsofmeasure.org', code },
});
const pressures = (systolic: number, diastolic: number) => [
  {
    code: loinc('96608-5', 'Systolic blood pressure mean'),
    ...amount(systolic, 'mmHg', 'mm[Hg]'),
  },
  {
    code: loinc('96609-3', 'Diastolic blood pressure mean'),
    ...amount(diastolic, 'mmHg', 'mm[Hg]'),
  },
];
const countOf = (readings: number) => ({
  code: coded('http://snomed.info/sct', '246432004', 'Number of occurrences'),
  ...amount(readings, '#', '{#}'),
});
const patient = {
  type: 'Patient',
  identifier: { system: 'urn:ietf:rfc:3986', value: pod.web_id },
};
const everyObservation = {
  resourceType: 'Observation',
  status: 'final',
  category: [
    coded(
      'http://terminology.hl7.org/CodeSystem/observation-category',
      'vital-signs',
      'Vital Signs',
    ),
  ],
  subject: patient,
  issued: generatedAt,
};
const ofAllReadings = {
  ...everyObservation,
  effectivePeriod: {
    start: pod.first_observation?.slice(0, 10),
    end: pod.last_observation?.slice(0, 10),
  },
  note: [{ text: 'The mean of what the person recorded; number of readings: 3.' }],
};
const averagePressure = loinc('96607-7', 'Blood pressure panel mean systolic and mean diastolic');

/** Every element, since one too many is an invalid document to whoever takes it. */
describe('each Observation is what FHIR R4 and its profile ask for, and nothing else', () => {
  const US_CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';
  const CARDX = 'http://hl7.org/fhir/uv/cardx-htn-mng/StructureDefinition';
  const [bloodPressure, heartRate, selfMeasured] = resourcesOf({ ...pod, home });

  test('US Core Average Blood Pressure', () => {
    expect(bloodPressure).toStrictEqual({
      ...ofAllReadings,
      meta: { profile: [`${US_CORE}/us-core-average-blood-pressure`] },
      code: averagePressure,
      component: [...pressures(128.3, 82), countOf(3)],
    });
  });

  test('US Core Heart Rate', () => {
    expect(heartRate).toStrictEqual({
      ...ofAllReadings,
      meta: { profile: [`${US_CORE}/us-core-heart-rate`] },
      code: loinc('8867-4', 'Heart rate'),
      ...amount(66, 'beats/minute', '/min'),
      component: [countOf(3)],
    });
  });

  test('CardX Average Self-measured Blood Pressure, of the home average alone', () => {
    expect(selfMeasured).toStrictEqual({
      ...everyObservation,
      meta: { profile: [`${CARDX}/average-smbp`] },
      extension: [{ url: `${CARDX}/NumberOfMeasurementsExt`, valueInteger: 24 }],
      code: averagePressure,
      effectivePeriod: { start: '2026-08-13', end: '2026-08-18' },
      performer: [patient],
      note: [
        {
          text: 'The mean of what the person recorded on 6 days; number of readings: 24. The day before them is left out.',
        },
      ],
      component: pressures(127.5, 81.3),
    });
    expect(resourcesOf({ ...pod, home: null, recent: home })).toHaveLength(2);
  });
});

test('the Bundle is a collection of what has figures', () => {
  const none = { average: null, minimum: null, maximum: null, standard_deviation: null, count: 0 };
  const withoutHeartRate = { ...pod, measures: { ...pod.measures, heart_rate: none } };
  expect(fhirOf(withoutHeartRate)).toStrictEqual({
    resourceType: 'Bundle',
    type: 'collection',
    timestamp: generatedAt,
    entry: [{ resource: resourcesOf(pod)[0] }],
  });
  const nothing = { systolic: none, diastolic: none, heart_rate: none };
  expect(resourcesOf({ ...pod, measures: nothing })).toEqual([]);
});

test.each([
  [
    'across the date line the earlier day comes first',
    // The second is the later one, in an evening that other clocks call the morning after.
    ['2026-08-20T08:00:00.000', '2026-08-19T23:30:00.000-11:00'],
    { start: '2026-08-19', end: '2026-08-20' },
  ],
  ['where no reading has a date, it ends when the result was made', [], { end: generatedAt }],
])('of the time between readings: %s', (_, [first = null, last = null], period) => {
  const own = { ...pod, first_observation: first, last_observation: last };
  const observations = resourcesOf(own);
  expect(observations).toHaveLength(2);
  for (const { effectivePeriod } of observations) expect(effectivePeriod).toEqual(period);
});
