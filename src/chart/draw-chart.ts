import { createRequire } from 'node:module';
import { constants } from 'node:zlib';
import { AnalyserError, messageOf } from '../base/errors.js';
import { type ChartPlan, planChart } from './chart-plan.js';
import { drawSvg } from './chart-svg.js';
import { PIXELS_WIDE } from './plot.js';
import { font } from './svg.js';

/** Keeps this thread busy for up to a tenth of a second: not for a thread that answers calls. */
export async function drawChart(plan: ChartPlan): Promise<Buffer> {
  try {
    return await render(plan);
  } catch (error) {
    throw new AnalyserError(
      'configuration',
      `The charting library failed (${messageOf(error)}). Install the packages again, or set output.render_charts to false.`,
      { cause: error },
    );
  }
}

export async function chartsAvailable(): Promise<true | string> {
  return drawChart(sample).then(
    () => true,
    (error: unknown) => messageOf(error),
  );
}

const sample = planChart({
  readings: [{ time: 0, offset: 0, systolic: 120, diastolic: 80, heart_rate: 60 }],
  own: { systolic: 120, diastolic: 80, heart_rate: 60 },
  cohort: { systolic: null, diastolic: null, heart_rate: null },
});

async function render(plan: ChartPlan): Promise<Buffer> {
  // Loaded only by the first drawing: loading takes time, and a service without charts does not need it.
  const { Resvg } = await import('@resvg/resvg-js');
  const { PNG } = await import('pngjs');
  const image = new Resvg(drawSvg(plan), {
    font: { fontFiles: fontFiles(), loadSystemFonts: false, defaultFontFamily: font },
    fitTo: { mode: 'width', value: PIXELS_WIDE },
  });
  const { width, height, pixels } = image.render();
  const png = new PNG({ width, height });
  png.data = pixels;
  // The drawing library's own PNG has filters, which take half as many bytes more for areas of one colour.
  return PNG.sync.write(png, {
    // The PNG keeps the alpha of the pixels: removing it would take as long as all the rest, and would save nothing.
    colorType: 6,
    filterType: 0,
    // Level 9 would save another byte in twenty, but the drawing would take nearly twice as long.
    deflateLevel: 6,
    deflateStrategy: constants.Z_DEFAULT_STRATEGY,
  });
}

const require = createRequire(import.meta.url);

/** The TTF files of a package, because a server may have no fonts at all. */
function fontFiles(): string[] {
  return [
    require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
    require.resolve('@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf'),
    require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
  ];
}
