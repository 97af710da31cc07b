import type { ChartDocument } from '../../documents/chart-document.js';
import { linearScale, type Scale } from './linear-scale.js';
import type { PlotBox } from './plot-box.js';
import { type Tick, timeTicks } from './time-ticks.js';
import { roundStep } from './value-axis.js';

export interface HorizontalAxis {
  /** From a reading's place to a pixel. */
  x: Scale;
  ticks: Tick[];
  /** Null: the ticks speak for themselves. */
  name: string | null;
}

/** A label, and some air beside it. */
const tickRoom = 56;
const twoHours = 2 * 60 * 60 * 1000;

/** `wallClock` shifts a time so that its UTC reads as the clock of the picture's zone. */
export function horizontalAxis(
  figures: ChartDocument,
  { left, right }: PlotBox,
  wallClock: (time: number) => number,
): HorizontalAxis {
  const [min, max] = axisEnds(figures);
  const most = 1 + Math.floor((right - left) / tickRoom);
  if (figures.positions === 'order') {
    const ticks = numberTicks(figures.reading_count, most);
    return { x: linearScale([min, max], [left, right]), ticks, name: 'Number of the reading' };
  }
  const [first, last] = [wallClock(min), wallClock(max)];
  const scale = linearScale([first, last], [left, right]);
  return { x: (at) => scale(wallClock(at)), ticks: timeTicks(first, last, most), name: null };
}

/** With some air beside the outermost readings; means have been made up to the ends of the axis. */
export function axisEnds({ positions, drawn, points }: ChartDocument): [min: number, max: number] {
  const [first, last] = [points[0]?.at ?? 1, points.at(-1)?.at ?? 1];
  if (drawn === 'rolling_mean') return [first, last];
  const air = Math.max(positions === 'order' ? 1 : twoHours, (last - first) * 0.015);
  return [first - air, last + air];
}

function numberTicks(count: number, most: number): Tick[] {
  const every = roundStep(Math.max(1, count / most));
  return Array.from({ length: Math.floor(count / every) }, (_, index) => {
    const number = (index + 1) * every;
    return { at: number, label: String(number) };
  });
}
