import type { PodAverageDocument } from './published-document.js';
import type { PodEntry } from './results-document.js';

/**
 * A Pod's average in HL7 FHIR R4: a Bundle with an Observation of US Core Average Blood Pressure
 * and, if there are heart rates, one of those. It never says what the figures mean.
 */
export type FhirBundle = ReturnType<typeof toFhir>;

interface PodAverage {
  webId: string;
  generatedAt: string;
  measures: PodEntry['measures'];
  /** The times of the first and of the last reading, as far as they are known. */
  first: string | null;
  last: string | null;
}

const LOINC = 'http://loinc.org';
const SNOMED = 'http://snomed.info/sct';
const UCUM = 'http://unitsofmeasure.org';
const CORE = 'http://hl7.org/fhir/us/core/StructureDefinition';

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

export function fhirOfPodEntry(pod: PodEntry, generatedAt: string): FhirBundle {
  const { web_id: webId, measures, first_observation: first, last_observation: last } = pod;
  return toFhir({ webId, generatedAt, measures, first, last });
}

/** The published document has no first reading, so the owner of the Pod has to give it. */
export function fhirOfResult(
  { generated_at: generatedAt, pod: { measures } }: PodAverageDocument,
  webId: string,
  first: string | null,
): FhirBundle {
  return toFhir({ webId, generatedAt, measures, first, last: null });
}

function toFhir(pod: PodAverage) {
  const resources = [bloodPressure(pod), heartRate(pod)].filter((one) => one !== null);
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
  const pressure = (value: number) => quantity(value, 'mmHg', 'mm[Hg]');
  return {
    ...common(pod, systolic.count, 'us-core-average-blood-pressure'),
    code: codes.average,
    component: [
      { code: codes.systolic, valueQuantity: pressure(systolic.average) },
      { code: codes.diastolic, valueQuantity: pressure(diastolic.average) },
      { code: codes.count, valueQuantity: quantity(systolic.count, '#', '{#}') },
    ],
  };
}

function heartRate(pod: PodAverage) {
  const { average, count } = pod.measures.heart_rate;
  if (average === null) return null;
  return {
    ...common(pod, count, 'us-core-heart-rate'),
    code: codes.heartRate,
    valueQuantity: quantity(average, 'beats/minute', '/min'),
    component: [{ code: codes.count, valueQuantity: quantity(count, '#', '{#}') }],
  };
}

function common(pod: PodAverage, count: number, profile: string) {
  return {
    resourceType: 'Observation' as const,
    meta: { profile: [`${CORE}/${profile}`] },
    status: 'final' as const,
    category: [codes.vitalSigns],
    // There is no patient record to refer to, so a URI identifies the subject (RFC 3986).
    subject: {
      type: 'Patient',
      identifier: { system: 'urn:ietf:rfc:3986', value: pod.webId },
    },
    effectivePeriod: {
      ...(pod.first !== null && { start: pod.first }),
      end: pod.last ?? pod.generatedAt,
    },
    issued: pod.generatedAt,
    note: [{ text: `The mean of what the person recorded; number of readings: ${count}.` }],
  };
}

function concept(system: string, code: string, display: string) {
  return { coding: [{ system, code, display }] };
}

function quantity(value: number, unit: string, code: string) {
  return { value, unit, system: UCUM, code };
}
