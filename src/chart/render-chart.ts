import { createRequire } from 'node:module';
import { constants } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';
// The library as one file: as four hundred modules it takes half a second to load.
import { init } from 'echarts/dist/echarts.esm.min';
import { PNG } from 'pngjs';
import { chartHeight, chartWidth, pictureWidth } from './chart-layout.js';
import { chartOption } from './chart-option.js';
import type { ChartPlan } from './chart-plan.js';
import { font } from './chart-style.js';

const require = createRequire(import.meta.url);

// TTF files that come along, because a server may have no fonts at all.
const fontFiles = [
  require.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf'),
  require.resolve('@expo-google-fonts/inter/500Medium/Inter_500Medium.ttf'),
  require.resolve('@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf'),
];

export function renderSvg(plan: ChartPlan): string {
  const chart = init(null, null, {
    renderer: 'svg',
    ssr: true,
    width: chartWidth,
    height: chartHeight,
  });
  try {
    chart.setOption(chartOption(plan));
    return chart.renderToSVGString();
  } finally {
    // A chart that is not disposed of keeps the process alive.
    chart.dispose();
  }
}

export function renderChart(plan: ChartPlan): Buffer {
  const svg = renderSvg(plan);
  const image = new Resvg(svg, {
    font: { fontFiles, loadSystemFonts: false, defaultFontFamily: font },
    fitTo: { mode: 'width', value: pictureWidth },
  });
  const { width, height, pixels } = image.render();
  const png = new PNG({ width, height });
  png.data = pixels;
  // Half the bytes that the drawing library's own PNG takes: its filters do harm to even areas.
  return PNG.sync.write(png, {
    colorType: 2,
    filterType: 0,
    deflateLevel: 9,
    deflateStrategy: constants.Z_DEFAULT_STRATEGY,
  });
}
