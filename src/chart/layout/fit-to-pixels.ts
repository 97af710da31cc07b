import type { ChartDocument } from '../../documents/chart-document.js';
import { axisEnds } from './horizontal-axis.js';
import { rollingMeans } from './rolling-means.js';

/** More readings than pixels would be drawn as noise: they become a rolling mean. */
export function fitToPixels(figures: ChartDocument, pixels: number): ChartDocument {
  if (figures.drawn === 'rolling_mean' || figures.points.length <= pixels) return figures;
  const [min, max] = axisEnds(figures);
  return { ...figures, drawn: 'rolling_mean', points: rollingMeans(figures.points, min, max) };
}
