import { describePeriod, type StudyPeriod } from '../base/study-period.js';
import type { PodAverageDocument } from '../documents/published-document.js';
import type { PodRecord } from '../documents/results-document.js';

interface PodAverage {
  webId: string;
  generatedAt: string;
  measures: PodRecord['measures'];
  /** The times of the first and of the last reading, by the clocks of these readings; null if not known. */
  first: string | null;
  last: string | null;
  home: PodRecord['home'];
  /** The study period: only readings within it count. */
  period: StudyPeriod | undefined;
}

const LOINC = 'http://loinc.org';
const SNOMED = 'http://snomed.info/sct';
const UCUM = 'http://unitsofmeasure.org';
const CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';
/** HL7 CardX Hypertension Management. */
const CARDX = 'http://hl7.org/fhir/uv/cardx-htn-mng/StructureDefinition';

const codes = {
  average: concept(LOINC, '96607-7', 'Blood pressure panel mean systolic and mean diastolic'),
  systolic: concept(LOINC, '96608-5', 'Systolic blood pressure mean'),
  diastolic: concept(LOINC, '96609-3', 'Diastolic blood pressure mean'),
  heartRate: concept(LOINC, '8867-4', 'Heart rate'),
  count: concept(SNOMED, '246432004', 'Number of occurrences'),
  vitalSigns: concept(
    'http://terminology.hl7.org/CodeSystem/observation-category',
    'vital-signs',
    'Vital Signs',
  ),
};

/**
 * A person's averages in HL7 FHIR R4: a Bundle of Observations. The first is the average blood pressure, in the profile
 * US Core Average Blood Pressure. If there are heart rates, their average follows. If there is a home average, it is
 * the last, in the profile Average Self-measured Blood Pressure. The Bundle never says what the figures mean.
 */
export function fhirOfResult({ generated_at, pod, period }: PodAverageDocument, webId: string) {
  const { measures, first_observation: first = null, last_observation: last = null, home } = pod;
  const own = { webId, generatedAt: generated_at, measures, first, last, home, period };
  const resources = [bloodPressure(own), heartRate(own), selfMeasured(own)].filter(
    (resource) => resource !== null,
  );
  return {
    resourceType: 'Bundle' as const,
    type: 'collection' as const,
    timestamp: generated_at,
    entry: resources.map((resource) => ({ resource })),
  };
}

function bloodPressure(pod: PodAverage) {
  const { systolic, diastolic } = pod.measures;
  if (systolic.average === null || diastolic.average === null) return null;
  return {
    ...ofAll(pod, systolic.count, 'us-core-average-blood-pressure'),
    code: codes.average,
    component: [
      ...pressures(systolic.average, diastolic.average),
      { code: codes.count, valueQuantity: quantity(systolic.count, '#', '{#}') },
    ],
  };
}

function heartRate(pod: PodAverage) {
  const { average, count } = pod.measures.heart_rate;
  if (average === null) return null;
  return {
    ...ofAll(pod, count, 'us-core-heart-rate'),
    code: codes.heartRate,
    valueQuantity: quantity(average, 'beats/minute', '/min'),
    component: [{ code: codes.count, valueQuantity: quantity(count, '#', '{#}') }],
  };
}

/** Only for the home average: the profile does not fit the average of a few scattered days. */
function selfMeasured(pod: PodAverage) {
  const { home = null, webId } = pod;
  if (home === null) return null;
  const { systolic, diastolic } = home.average;
  if (systolic === null || diastolic === null) return null;
  const { days, readings } = home;
  return {
    ...common(pod, `${CARDX}/average-smbp`),
    extension: [{ url: `${CARDX}/NumberOfMeasurementsExt`, valueInteger: readings }],
    code: codes.average,
    // Whole days, by the clock of the readings.
    effectivePeriod: { start: home.from, end: home.to },
    performer: [patient(webId)],
    note: [
      {
        text: `The mean of what the person recorded on ${days} days${ofPeriod(pod)}; number of readings: ${readings}. The day before them is left out.`,
      },
    ],
    component: pressures(systolic, diastolic),
  };
}

function ofAll(pod: PodAverage, count: number, profile: string) {
  return {
    ...common(pod, `${CORE}/${profile}`),
    effectivePeriod: periodOf(pod),
    note: [
      {
        text: `The mean of what the person recorded${ofPeriod(pod)}; number of readings: ${count}.`,
      },
    ],
  };
}

/**
 * Names the study period, which was chosen in advance; `effectivePeriod` is the time between the readings instead.
 */
function ofPeriod({ period }: PodAverage): string {
  return period === undefined ? '' : ` in the study period ${describePeriod(period)}`;
}

/**
 * The period from the first to the last reading. FHIR has no time without an offset, and an invented offset would
 * move a reading by hours. If an offset is missing, the period is therefore given in days, by the clock of the
 * readings.
 */
function periodOf({ first, last, generatedAt }: PodAverage) {
  if (last === null) return { ...(first !== null && { start: inFhir(first) }), end: generatedAt };
  if (first === null) return { end: inFhir(last) };
  if (hasOffset(first) && hasOffset(last)) return { start: first, end: last };
  // If the readings are from different zones, the later reading can have the earlier date.
  const [start = '', end = ''] = [first, last].map(dayOf).sort();
  return { start, end };
}

function inFhir(time: string): string {
  return hasOffset(time) ? time : dayOf(time);
}

function hasOffset(time: string): boolean {
  return /T.*(Z|[+-]\d{2}:\d{2})$/.test(time);
}

function dayOf(time: string): string {
  return time.slice(0, 'yyyy-mm-dd'.length);
}

function common({ webId, generatedAt }: PodAverage, profile: string) {
  return {
    resourceType: 'Observation' as const,
    meta: { profile: [profile] },
    status: 'final' as const,
    category: [codes.vitalSigns],
    subject: patient(webId),
    issued: generatedAt,
  };
}

/** There is no patient record to refer to, so the WebID identifies the person, as a URI (RFC 3986). */
function patient(webId: string) {
  return { type: 'Patient', identifier: { system: 'urn:ietf:rfc:3986', value: webId } };
}

function pressures(systolic: number, diastolic: number) {
  const pressure = (value: number) => quantity(value, 'mmHg', 'mm[Hg]');
  return [
    { code: codes.systolic, valueQuantity: pressure(systolic) },
    { code: codes.diastolic, valueQuantity: pressure(diastolic) },
  ];
}

function concept(system: string, code: string, display: string) {
  return { coding: [{ system, code, display }] };
}

/** Rounds to one decimal: a cuff measures whole units, and more decimals would pretend to be exact. */
function quantity(value: number, unit: string, code: string) {
  return { value: Number(value.toFixed(1)), unit, system: UCUM, code };
}
