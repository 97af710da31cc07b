import { linearScale, type Scale } from '../../src/chart/layout/linear-scale.js';
import type { PodEntry } from '../../src/documents/results-document.js';
import type { MeasureInfo } from '../format/measures.js';
import { spanOf } from './scale.js';
import { type Dot, stackDots } from './stack-dots.js';

export const strip = { height: 92, middle: 36, axisAt: 70, edge: 14, dotSize: 9 };
/** The narrowest axis: a handful of Pods that lie close together should look close together. */
const leastSpan = 20;
/** How near the pointer has to be to a dot, in pixels. */
const reach = 22;

export interface Known {
  pod: PodEntry;
  average: number;
}

export interface StripLayout {
  /** The Pods that have an average, lowest first. */
  known: readonly Known[];
  domain: [number, number];
  scale: Scale;
  dots: readonly Dot<Known>[];
}

export function layOutStrip(
  pods: readonly PodEntry[],
  measure: MeasureInfo['name'],
  cohortAverage: number | null,
  width: number,
): StripLayout {
  const known = pods
    .flatMap((pod): Known[] => {
      const { average } = pod.measures[measure];
      return average === null ? [] : [{ pod, average }];
    })
    .sort((a, b) => a.average - b.average);
  const values = known.map(({ average }) => average);
  const domain = spanOf(cohortAverage === null ? values : [...values, cohortAverage], leastSpan);
  const scale = linearScale(domain, [strip.edge, width - strip.edge]);
  const placed = known.map((item) => ({ item, x: scale(item.average) }));
  const dots = stackDots(placed, strip.dotSize, strip.middle - strip.dotSize);
  return { known, domain, scale, dots };
}

/** The Pod whose dot is nearest, if one is near. */
export function podAt({ dots }: StripLayout, x: number, y: number): PodEntry | null {
  let nearest: PodEntry | null = null;
  let least = reach;
  for (const { item, x: at, offset } of dots) {
    const distance = Math.hypot(at - x, strip.middle + offset - y);
    if (distance < least) {
      least = distance;
      nearest = item.pod;
    }
  }
  return nearest;
}

/** Where the Pod's dot is, or would be if there was room for it. */
export function placeOf(
  { known, dots, scale }: StripLayout,
  podId: string,
): { x: number; y: number; average: number } | null {
  const item = known.find(({ pod }) => pod.pod_id === podId);
  if (item === undefined) return null;
  const dot = dots.find((placed) => placed.item === item);
  const { average } = item;
  return { x: scale(average), y: strip.middle + (dot?.offset ?? 0), average };
}
