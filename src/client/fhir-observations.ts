import { describePeriod } from '../base/study-period.js';
import type { PodAverageDocument } from '../documents/published-document.js';

interface Own extends Pick<PodAverageDocument, 'generated_at' | 'pod' | 'period'> {
  webId: string;
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

/** docs/decisions.md says which profiles, and why. */
export function fhirOfResult({ generated_at, pod, period }: PodAverageDocument, webId: string) {
  const own = { generated_at, pod, period, webId };
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

function bloodPressure(own: Own) {
  const { systolic, diastolic } = own.pod.measures;
  if (systolic.average === null || diastolic.average === null) return null;
  return {
    ...ofAll(own, systolic.count, 'us-core-average-blood-pressure'),
    code: codes.average,
    component: [
      ...pressures(systolic.average, diastolic.average),
      { code: codes.count, valueQuantity: quantity(systolic.count, '#', '{#}') },
    ],
  };
}

function heartRate(own: Own) {
  const { average, count } = own.pod.measures.heart_rate;
  if (average === null) return null;
  return {
    ...ofAll(own, count, 'us-core-heart-rate'),
    code: codes.heartRate,
    valueQuantity: quantity(average, 'beats/minute', '/min'),
    component: [{ code: codes.count, valueQuantity: quantity(count, '#', '{#}') }],
  };
}

/** Only for the home average: the profile does not fit the average of a few scattered days. */
function selfMeasured(own: Own) {
  const { home = null } = own.pod;
  if (home === null) return null;
  const { days, readings, average } = home;
  if (average.systolic === null || average.diastolic === null) return null;
  const text = `The mean of what the person recorded on ${days} days${ofPeriod(own)}; number of readings: ${readings}. The day before them is left out.`;
  return {
    ...common(own, `${CARDX}/average-smbp`),
    extension: [{ url: `${CARDX}/NumberOfMeasurementsExt`, valueInteger: readings }],
    code: codes.average,
    effectivePeriod: { start: home.from, end: home.to },
    performer: [patient(own.webId)],
    note: [{ text }],
    component: pressures(average.systolic, average.diastolic),
  };
}

function ofAll(own: Own, count: number, profile: string) {
  const text = `The mean of what the person recorded${ofPeriod(own)}; number of readings: ${count}.`;
  return {
    ...common(own, `${CORE}/${profile}`),
    effectivePeriod: daysOf(own),
    note: [{ text }],
  };
}

/** The study period was chosen in advance; `effectivePeriod` is the time between the readings. */
function ofPeriod({ period }: Own): string {
  return period === undefined ? '' : ` in the study period ${describePeriod(period)}`;
}

/** In days, by the clock of the readings: FHIR has no time without an offset, and an invented one would be hours off. */
function daysOf({ pod, generated_at }: Own) {
  // If the readings are from different zones, the later reading can have the earlier date.
  const [start, end] = [pod.first_observation, pod.last_observation]
    .map((time) => time?.slice(0, 'yyyy-mm-dd'.length))
    .sort();
  return start === undefined || end === undefined ? { end: generated_at } : { start, end };
}

function common({ webId, generated_at }: Own, profile: string) {
  return {
    resourceType: 'Observation' as const,
    meta: { profile: [profile] },
    status: 'final' as const,
    category: [codes.vitalSigns],
    subject: patient(webId),
    issued: generated_at,
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
