import { describePeriod, type StudyPeriod } from '../base/study-period.js';
import type { PodAverageDocument } from './published-document.js';
import type { PodEntry, ResultsDocument } from './results-document.js';

/**
 * A Pod's average in HL7 FHIR R4: a Bundle of Observations. The first is of the profile US Core Average Blood
 * Pressure. If there are heart rates, the next is of those. The last is of the home average, of the profile Average
 * Self-measured Blood Pressure. It never says what the figures mean.
 */
export type FhirBundle = ReturnType<typeof toFhir>;

interface PodAverage {
  webId: string;
  generatedAt: string;
  measures: PodEntry['measures'];
  /** The times of the first and of the last reading by their own clocks, as far as they are known. */
  first: string | null;
  last: string | null;
  home: PodEntry['home'];
  /** Only readings of this time count. */
  period: StudyPeriod | undefined;
}

/** The analysis that the figures are of. */
type FhirContext = Pick<ResultsDocument, 'generated_at' | 'analysis'>;

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

export function fhirOfPodEntry(
  pod: PodEntry,
  { generated_at: generatedAt, analysis: { period } }: FhirContext,
): FhirBundle {
  const { web_id: webId, measures, first_observation: first, last_observation: last, home } = pod;
  return toFhir({ webId, generatedAt, measures, first, last, home, period });
}

/** A result of an earlier version names neither the first reading nor the last. */
export function fhirOfResult(
  { generated_at: generatedAt, pod, period }: PodAverageDocument,
  webId: string,
): FhirBundle {
  const { measures, first_observation: first = null, last_observation: last = null, home } = pod;
  return toFhir({ webId, generatedAt, measures, first, last, home, period });
}

function toFhir(pod: PodAverage) {
  const resources = [bloodPressure(pod), heartRate(pod), selfMeasured(pod)].filter(
    (resource) => resource !== null,
  );
  return {
    resourceType: 'Bundle' as const,
    type: 'collection' as const,
    timestamp: pod.generatedAt,
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

/** Only for the home average: the profile is not for a few days now and then. */
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

/** What was chosen before the readings were looked at; `effectivePeriod` is what they span. */
function ofPeriod({ period }: PodAverage): string {
  return period === undefined ? '' : ` in the study period ${describePeriod(period)}`;
}

/**
 * FHIR has no time without an offset, and an invented offset would move a reading by hours. Such a period is told in
 * days, by the clock of the readings.
 */
function periodOf({ first, last, generatedAt }: PodAverage) {
  if (last === null) return { ...(first !== null && { start: inFhir(first) }), end: generatedAt };
  if (first === null) return { end: inFhir(last) };
  if (hasOffset(first) && hasOffset(last)) return { start: first, end: last };
  // When readings are from several zones, the later reading can be of an earlier day.
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

/** There is no patient record to refer to, so a URI identifies the person (RFC 3986), or a name that stands for it. */
function patient(webId: string) {
  const system = URL.canParse(webId) ? { system: 'urn:ietf:rfc:3986' } : {};
  return { type: 'Patient', identifier: { ...system, value: webId } };
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

/** One decimal: a cuff measures whole units, and more would pretend. */
function quantity(value: number, unit: string, code: string) {
  return { value: Number(value.toFixed(1)), unit, system: UCUM, code };
}
