import type { ChartLayout } from '../../src/chart/layout/chart-layout.js';
import { attributesOf } from '../../src/chart/layout/marks.js';

/** All that stays while the pointer moves. The style sheet has the colours. */
export function ReadingsPicture({ layout: { marks, texts } }: { layout: ChartLayout }) {
  return (
    <>
      {marks.map(({ look, measure, d }, index) => (
        <path key={index} class={classOf(look, measure)} d={d} {...attributesOf(look)} />
      ))}
      {texts.map(({ look, measure, text, x, y, anchor }, index) => (
        <text key={index} class={classOf(look, measure)} x={x} y={y} text-anchor={anchor}>
          {text}
        </text>
      ))}
    </>
  );
}

function classOf(look: string, measure: string | null): string {
  return measure === null ? look : `${look} ${measure}`;
}
